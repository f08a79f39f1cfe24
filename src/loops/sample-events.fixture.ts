export interface SampleWrite {
  readonly version: number;
  readonly user: string;
  readonly labels: { readonly [key: string]: string };
  readonly verb: string;
  readonly name: string;
  readonly uid: string;
  readonly image: string;
  readonly code: number;
  readonly stage: string;
  readonly subresource: string;
  readonly request: object;
  /** Of the request's address. */
  readonly query: string;
  /** More members of the stored object. */
  readonly extra: object;
  /** For events with the same version. */
  readonly order: number;
  readonly patches: readonly { webhook: string; configuration: string; path: string }[];
}

let count = 0;

/** An audit event of a write, as the API server logs it. */
export function sampleEvent(given: Partial<SampleWrite>): object {
  const {
    version = 1,
    user = 'somebody',
    verb = 'update',
    name = 'web',
    uid = 'uid',
    image = 'web:1',
  } = given;
  const { code = 200, stage = 'ResponseComplete', subresource, request, labels = {}, patches = [] } = given;
  const time = new Date(Date.UTC(2026, 0, 1) + (given.order ?? version) * 1000).toISOString();
  const annotations = Object.fromEntries(
    patches.map(({ webhook, configuration, path }, index) => [
      `patch.webhook.admission.k8s.io/round_0_index_${index}`,
      JSON.stringify({
        configuration,
        webhook,
        patch: [{ op: 'add', path, value: 'x' }],
        patchType: 'JSONPatch',
      }),
    ]),
  );
  const metadata = {
    name,
    namespace: 'default',
    uid,
    resourceVersion: String(version),
    labels,
    managedFields: [{ time }],
  };
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: `id-${++count}`,
    stage,
    requestURI: `/api/v1/namespaces/default/pods/${name}${given.query ?? ''}`,
    verb,
    user: { username: user, groups: ['system:authenticated'] },
    userAgent: `${user}/v1.0 (linux/amd64) kubernetes/abc`,
    objectRef: {
      resource: 'pods',
      namespace: 'default',
      name,
      apiVersion: 'v1',
      ...(subresource && { subresource }),
    },
    responseStatus: { metadata: {}, code },
    requestObject: request ?? { metadata, spec: { image } },
    responseObject: {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata,
      spec: { image, containers: [{ name: 'web', image }] },
      status: {},
      ...given.extra,
    },
    requestReceivedTimestamp: time,
    stageTimestamp: time,
    annotations: { 'authorization.k8s.io/decision': 'allow', ...annotations },
  };
}
