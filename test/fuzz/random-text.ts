import type { Random } from './random.ts';

/** Texts that any field may contain before validation. */
export function randomText(random: Random): string {
  const kind = random.int(10);
  if (kind < 4) return random.pick(ODD_TEXTS);
  if (kind < 6) return random.pick(HOSTILE_TEXTS)(1 + random.int(300));
  if (kind < 8) return characters(random, random.int(30));
  return random.pick(NAMES);
}

/** Names that occur in Pods, cluster objects and injectors, so that they meet. */
export const NAMES = [
  'web',
  'app',
  'istio-proxy',
  'istio-init',
  'istio-validation',
  'filebeat',
  'filebeat-config',
  'otc-container',
  'opentelemetry-auto-instrumentation',
  'otel-agent-source-container-clone',
  'aws-iam-token',
  'eks-pod-identity-token',
  'istio-envoy',
  'a',
  'default',
] as const;

const ODD_TEXTS = [
  '',
  ' ',
  'true',
  'false',
  'null',
  '0',
  '-1',
  '4294967296',
  '1e999',
  'NaN',
  '..',
  '/',
  '//',
  '../../etc/passwd',
  '$(POD_NAME)',
  '{{ .Values }}',
  '{{',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a/b',
  'a/b/c',
  'a,b,,c',
  'k=v',
  'k=v,k=w',
  '=',
  ',',
  '"',
  "'",
  '`',
  '\\',
  '\u0000',
  '\u001b[31m',
  '\n',
  'a\nb: c',
  '\r\n',
  '\t',
  '\ufeff',
  '\ud800',
  'é💥',
  '*',
  '?',
  '%',
  '~0~1',
  'a: &a [*a]',
  'arn:aws:iam::111122223333:role/r',
  '/var/log/*.log',
  'C:\\x',
  '100m',
  '9223372036854775808',
] as const;

const HOSTILE_TEXTS: readonly ((size: number) => string)[] = [
  (size) => 'x'.repeat(size * 20),
  (size) => '/'.repeat(size * 20),
  (size) => `${'/'.repeat(size * 10)}x/`,
  (size) => ','.repeat(size * 10),
  (size) => '['.repeat(size * 10),
  (size) => `${'['.repeat(size)}${']'.repeat(size)}`,
  (size) => `{"a":${'['.repeat(size)}${']'.repeat(size)}}`,
  (size) => '{"a":'.repeat(size),
  (size) => `a: !!x b\n${'? '.repeat(size)}`,
  (size) => '- '.repeat(size),
  (size) => 'a: &a x\n'.repeat(size),
  (size) => `a: [${','.repeat(size)}]`,
  (size) => `${Array.from({ length: size }, (_, index) => `k${index}=v`).join(',')}`,
  (size) => `${Array.from({ length: size }, (_, index) => `n${index}`).join(',')}`,
  (size) => '{{'.repeat(size),
  (size) => '"'.repeat(size),
  (size) => '\\'.repeat(size),
  (size) => '$('.repeat(size),
  (size) => `a: ${'*a '.repeat(size)}`,
  (size) => JSON.stringify(Array.from({ length: size }, () => null)),
  (size) => JSON.stringify({ __proto__: null, constructor: { prototype: {} }, containers: [{ name: size }] }),
  (size) => `{"__proto__":{"polluted":${size}}}`,
];

function characters(random: Random, length: number): string {
  return Array.from({ length }, () =>
    String.fromCharCode(random.int(random.chance(0.2) ? 0x10000 : 128)),
  ).join('');
}
