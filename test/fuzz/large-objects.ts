import { hostileAnnotations } from './hostile-annotations.ts';
import {
  containers,
  count,
  env,
  everything,
  KIB,
  type LargeObject,
  mounts,
  names,
  notes,
  pod,
  repeated,
  web,
} from './large-pod.ts';

// Objects at the limits of what the API server accepts, most of them with a shape that once took superlinear time.

/** As large as a Pod that may be stored: 50 ms. */
export const LARGE: readonly LargeObject[] = [
  { name: '250 KiB in one annotation', make: () => pod({}, { 'example.com/x': 'x'.repeat(250 * KIB) }) },
  { name: '256 KiB of annotations', make: () => pod({}, notes(256 * KIB, 128)) },
  { name: '256 KiB of short annotations', make: () => pod({}, notes(256 * KIB, 32)) },
  {
    name: '256 KiB of resource annotations',
    make: () =>
      pod(
        {},
        Object.fromEntries(count(5000, (index) => [`resource.opentelemetry.io/attribute-${index}`, 'value'])),
      ),
  },
  {
    name: '250 KiB of proxy settings',
    make: () => pod({}, { 'proxy.istio.io/config': repeated('a: b\n', 250 * KIB) }),
  },
  {
    name: '64 KiB of proxy settings',
    make: () => pod({}, { 'proxy.istio.io/config': `proxyMetadata:\n${repeated('  a: b\n', 63 * KIB)}` }),
  },
  { name: '10,000 env entries', make: () => pod({ containers: [{ ...web, env: env(10_000) }] }) },
  {
    name: "10,000 env entries of the user's own proxy",
    make: () => pod({ containers: [{ name: 'istio-proxy', image: 'auto', env: env(10_000) }] }),
  },
  { name: '1,000 containers', make: () => pod({ containers: containers(1000) }) },
  {
    name: '1,000 init containers',
    make: () => pod({ initContainers: containers(1000), resources: { limits: { cpu: '1' } } }),
  },
  {
    name: '1,000 containers that a template lists',
    use: 'istio',
    make: () => pod({ containers: containers(1000) }, { 'inject.istio.io/templates': 'grpc' }),
  },
  {
    name: '1,000 sidecars with resources',
    use: 'istio',
    make: () =>
      pod({
        resources: { requests: { cpu: '1', memory: '1Gi' } },
        initContainers: containers(1000).map((each) => ({
          ...each,
          restartPolicy: 'Always',
          resources: { requests: { cpu: '1m', memory: '1Mi' } },
        })),
      }),
  },
  {
    name: '1,000 containers of an earlier injection, 20,000 recorded names',
    use: 'istio',
    make: () =>
      pod(
        { containers: containers(1000) },
        {
          'sidecar.istio.io/status': JSON.stringify({
            containers: count(1000, (index) => `c${index}`),
            'podgraft.dev/before': { containers: count(20_000, (index) => `x${index}`) },
          }),
        },
      ),
  },
  {
    name: '1,000 containers by name',
    make: () =>
      pod(
        { containers: containers(1000) },
        { 'instrumentation.opentelemetry.io/container-names': names(1000) },
      ),
  },
  {
    name: '1,000 containers by name, 256 KiB of short annotations',
    use: 'opentelemetry',
    make: () =>
      pod(
        { containers: containers(1000) },
        { 'instrumentation.opentelemetry.io/container-names': names(1000), ...notes(240 * KIB, 32) },
      ),
  },
  {
    name: '1,000 variables of one name',
    use: 'istio',
    make: () => ownProxy(repeatedEnv(1000, 90_000)),
  },
  {
    name: '14,000 spellings of annotations',
    use: 'istio',
    make: () => pod({}, spellings(14_000)),
  },
  {
    name: '250 KiB of valid overrides',
    use: 'istio',
    make: () =>
      pod(
        {},
        {
          'proxy.istio.io/overrides': JSON.stringify({
            containers: [{ name: 'istio-proxy', env: env(3_300), volumeMounts: mounts(3_300) }],
          }),
          'sidecar.istio.io/status': '{"containers":["istio-proxy"]}',
        },
      ),
  },
  {
    name: '250 KiB of names in the status',
    use: 'istio',
    make: () =>
      pod(
        {},
        { 'sidecar.istio.io/status': JSON.stringify({ containers: count(27_000, (index) => `c${index}`) }) },
      ),
  },
  ...hostileAnnotations('250 KiB', 250 * KIB),
];

/** As large as the API server's limit for a request, or as many values as are looked at: 500 ms. */
export const LARGEST: readonly LargeObject[] = [
  {
    name: '3 MiB of empty tolerations',
    isBeyond: true,
    make: () => pod({ tolerations: count(1_000_000, () => ({})) }),
  },
  {
    name: '3 MiB in one annotation',
    isBeyond: true,
    make: () => pod({}, { 'example.com/x': 'x'.repeat(3072 * KIB) }),
  },
  { name: '3 MiB of short annotations', isBeyond: true, make: () => pod({}, notes(3072 * KIB, 48)) },
  {
    name: '3 MiB of labels',
    make: () => ({
      ...pod({}),
      metadata: { name: 'web', labels: notes(3072 * KIB, 48), annotations: everything },
    }),
  },
  {
    name: '250 KiB of user volumes',
    use: 'istio',
    make: () =>
      pod(
        {},
        {
          'sidecar.istio.io/userVolume': JSON.stringify(
            Object.fromEntries(count(9_000, (index) => [`v${index}`, { emptyDir: {} }])),
          ),
        },
      ),
  },
  ...(['requests', 'limits'] as const).map((field) => ({
    name: `90,000 page sizes in the ${field} of a Pod with sidecars`,
    use: 'istio',
    make: () =>
      pod({
        resources: {
          [field]: Object.fromEntries(count(90_000, (index) => [`hugepages-${index + 1}Ki`, '1'])),
        },
        initContainers: containers(90).map((each) => ({ ...each, restartPolicy: 'Always' })),
      }),
  })),
  { name: '32,000 env entries', make: () => pod({ containers: [{ ...web, env: env(32_000) }] }) },
  {
    name: '90,000 env entries',
    isBeyond: true,
    make: () => pod({ containers: [{ ...web, env: env(90_000) }] }),
  },
  {
    name: "32,000 env entries of the user's own proxy",
    make: () => pod({ containers: [web, { name: 'istio-proxy', image: 'auto', env: env(32_000) }] }),
  },
  {
    name: '30,000 variables of one name',
    use: 'istio',
    make: () => ownProxy(repeatedEnv(30_000, 1_500_000)),
  },
  {
    name: '14,000 spellings in an invalid Pod',
    use: 'istio',
    // Whose problem it is, is found by applying the patch.
    make: () => pod({ volumes: [{ name: 'UPPER' }] }, spellings(14_000)),
  },
  {
    name: '12,000 recorded variables',
    use: 'istio',
    // Of one name, which the proxy has once, with many fields.
    make: () =>
      pod(
        {
          containers: [
            web,
            {
              name: 'istio-proxy',
              image: 'auto',
              env: [{ name: 'X', ...Object.fromEntries(count(50_000, (index) => [`k${index}`, 1])) }],
            },
          ],
        },
        {
          'proxy.istio.io/overrides': JSON.stringify({
            containers: [{ name: 'istio-proxy', env: count(12_000, () => ({ name: 'X' })) }],
          }),
          'sidecar.istio.io/status': '{"containers":["istio-proxy"]}',
        },
      ),
  },
  {
    name: '30,000 mounts that nginx hides',
    use: 'opentelemetry',
    make: () =>
      pod(
        {
          containers: [
            {
              ...web,
              volumeMounts: count(30_000, (index) => ({ name: 'v', mountPath: `/etc/nginx/${index}` })),
            },
          ],
        },
        {
          'instrumentation.opentelemetry.io/inject-java': 'false',
          'instrumentation.opentelemetry.io/inject-sdk': 'false',
          'instrumentation.opentelemetry.io/inject-nginx': 'inst',
        },
      ),
  },
  {
    name: '30,000 attribute variables',
    use: 'opentelemetry',
    make: () =>
      pod({
        containers: [
          { ...web, env: count(30_000, () => ({ name: 'OTEL_RESOURCE_ATTRIBUTES', value: 'a=b' })) },
        ],
      }),
  },
  {
    name: "32,000 mounts of the user's own proxy",
    make: () =>
      pod({ containers: [web, { name: 'istio-proxy', image: 'auto', volumeMounts: mounts(32_000) }] }),
  },
  { name: '48,000 volumes', make: () => pod({ volumes: count(48_000, (index) => ({ name: `v${index}` })) }) },
  {
    name: '32,000 volumes named as a sidecar names its own',
    make: () =>
      pod({ volumes: count(32_000, (index) => ({ name: `filebeat-config-${index}`, emptyDir: {} })) }),
  },
  {
    name: '32,000 ports',
    make: () =>
      pod({ containers: [{ ...web, ports: count(32_000, (index) => ({ containerPort: index + 1 })) }] }),
  },
  { name: '2,000 containers', make: () => pod({ containers: containers(2000) }) },
  {
    name: '2,000 init containers',
    make: () => pod({ initContainers: containers(1990), resources: { requests: { cpu: '1' } } }),
  },
  {
    name: '2,000 containers with 14 mounts each',
    make: () => pod({ containers: containers(2000).map((each) => ({ ...each, volumeMounts: mounts(14) })) }),
  },
  {
    name: '2,000 containers, 32 log directories',
    make: () =>
      pod(
        { containers: containers(2000) },
        { 'filebeat.log-path': count(32, (index) => `/l/${index}/*.log`).join(',') },
      ),
  },
  { name: '32,000 containers', isBeyond: true, make: () => pod({ containers: containers(32_000) }) },
  {
    name: '3 MiB mount path',
    make: () =>
      pod({
        containers: [{ ...web, volumeMounts: [{ name: 'v', mountPath: `${'/'.repeat(3_000_000)}x/` }] }],
      }),
  },
  {
    name: '3 MiB attributes',
    make: () =>
      pod(
        {
          containers: [
            { ...web, env: [{ name: 'OTEL_RESOURCE_ATTRIBUTES', value: repeated('a=b,', 3_000_000) }] },
          ],
        },
        Object.fromEntries(count(100, (index) => [`resource.opentelemetry.io/a${index}`, 'v'])),
      ),
  },
  {
    name: '3 MiB of Java options',
    make: () =>
      pod({
        containers: [{ ...web, env: [{ name: 'JAVA_TOOL_OPTIONS', value: repeated(' -Dx', 3_000_000) }] }],
      }),
  },
  {
    name: '3 MiB image',
    make: () => pod({ containers: [{ name: 'web', image: repeated('a/', 3_000_000) }] }),
  },
  {
    name: '600 problems of a long name',
    use: 'overlay',
    make: () =>
      pod({
        containers: [
          { name: 'x'.repeat(2_800_000), image: 'x', env: count(600, (index) => ({ name: `a=${index}` })) },
        ],
      }),
  },
  { name: '3 MiB container name', make: () => pod({ containers: [{ name: 'x'.repeat(3_000_000) }] }) },
  {
    name: '32,000 tolerations',
    make: () => pod({ tolerations: count(32_000, (index) => ({ key: `k${index}`, operator: 'Exists' })) }),
  },
  {
    name: '24,000 host aliases',
    make: () => pod({ hostAliases: count(24_000, (index) => ({ ip: `10.0.0.${index}`, hostnames: ['x'] })) }),
  },
  {
    name: '48,000 pull secrets',
    make: () => pod({ imagePullSecrets: count(48_000, (index) => ({ name: `s${index}` })) }),
  },
  {
    name: '16,000 owners',
    make: () => ({
      ...pod({}),
      metadata: {
        name: 'web',
        annotations: everything,
        ownerReferences: count(16_000, (index) => ({
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `r${index}`,
          uid: `${index}`,
        })),
      },
    }),
  },
];

/** The user's own proxy of a Pod that claims to have been injected before. It is where the injector keeps it. */
function ownProxy(env: readonly object[]): object {
  return pod(
    { initContainers: [{ name: 'istio-proxy', image: 'auto', env }] },
    { 'sidecar.istio.io/status': '{}' },
  );
}

/** The last value is long. */
function repeatedEnv(length: number, longest: number): readonly object[] {
  const values = [...count(length - 1, () => '[1]'), `[${repeated('1,', longest)}1]`];
  return values.map((value) => ({ name: 'X', value }));
}

/** Of annotations for Prometheus, which the injector replaces by its own. */
function spellings(length: number): Readonly<Record<string, string>> {
  const marks = count(120, (index) => String.fromCharCode(0x2200 + index));
  const keys = marks.flatMap((one) => marks.map((other) => `prometheus${one}io${other}port`));
  return Object.fromEntries(keys.slice(0, length).map((key) => [key, '']));
}
