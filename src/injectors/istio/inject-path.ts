/** What the webhook's URL says of a Pod's place: cluster, network and any other env of the proxy. */
export interface PathEnv {
  readonly [name: string]: string;
}

const KNOWN: PathEnv = { cluster: 'ISTIO_META_CLUSTER_ID', net: 'ISTIO_META_NETWORK' };

/** `/inject/cluster/C/net/N/foo/bar`, or the older `/inject/:ENV:a=b:ENV:c=d`. A last key without value is dropped. */
export function injectPathEnv(path: string): PathEnv {
  const rest = decoded(path).replace(/^\/inject\/?/, '');
  if (rest.startsWith(':ENV:')) return oldForm(rest);
  const parts = rest.split('/');
  const env = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const key = parts[at] ?? '';
    const name = Object.hasOwn(KNOWN, key) ? KNOWN[key] : key.toUpperCase();
    if (name) env.set(name, unescaped(parts[at + 1] ?? ''));
  }
  return Object.fromEntries(env);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function oldForm(text: string): PathEnv {
  const pairs = text.split(':ENV:').filter((pair) => pair.includes('='));
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    const key = pair.slice(0, at);
    return [
      Object.hasOwn(KNOWN, key) ? (KNOWN[key] as string) : key.toUpperCase(),
      unescaped(pair.slice(at + 1)),
    ];
  });
  return Object.fromEntries(entries);
}

function unescaped(value: string): string {
  return value.replaceAll('--slash--', '/');
}
