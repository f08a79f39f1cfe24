/** Environment variables of the proxy that the URL of the webhook sets: cluster, network and others. */
export interface PathEnv {
  readonly [name: string]: string;
}

/** Reads `/inject/cluster/C/net/N/key/value`, or the older `/inject/:ENV:a=b:ENV:c=d`. A last key without value is ignored. */
export function injectPathEnv(path: string): PathEnv {
  const rest = decoded(path)
    .replace(/\/$/, '')
    .replace(/^\/inject\/?/, '');
  const pairs = rest.startsWith(':ENV:') ? oldPairs(rest) : pathPairs(rest.split('/'));
  return Object.fromEntries(pairs.filter(([key]) => key !== '').map(([key, value]) => [envName(key), value]));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Pair = readonly [key: string, value: string];

function oldPairs(text: string): readonly Pair[] {
  const pairs = text.split(':ENV:').filter((pair) => pair.includes('='));
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

function pathPairs(parts: readonly string[]): readonly Pair[] {
  return parts.flatMap((value, index) =>
    index % 2 === 1 ? [[parts[index - 1] as string, value.replaceAll('--slash--', '/')]] : [],
  );
}

function envName(key: string): string {
  if (key === 'cluster') return 'ISTIO_META_CLUSTER_ID';
  return key === 'net' ? 'ISTIO_META_NETWORK' : key.toUpperCase();
}
