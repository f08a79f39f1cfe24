/** Requests that a server should survive. Bodies are built on demand. */
export interface BadReview {
  readonly title: string;
  readonly body: () => string;
  readonly contentType?: string;
}

const MEBIBYTE = 2 ** 20;

export const BAD_REVIEWS: readonly BadReview[] = [
  { title: 'an empty body', body: () => '' },
  { title: 'a body that is not JSON', body: () => 'not json' },
  { title: 'a body that is cut off', body: () => '{"apiVersion":"admission.k8s.io/v1","kind":"Admis' },
  { title: 'null', body: () => 'null' },
  { title: 'a list', body: () => '[]' },
  { title: 'an empty object', body: () => '{}' },
  { title: 'a review without a request', body: () => review(undefined) },
  { title: 'a request without an object', body: () => review({ uid: 'x', operation: 'CREATE' }) },
  { title: 'an object without metadata', body: () => review(create({ apiVersion: 'v1', kind: 'Pod' })) },
  {
    title: 'a Pod without containers',
    body: () => review(create({ ...POD, spec: { containers: null } })),
  },
  {
    title: 'a Pod whose containers are text',
    body: () => review(create({ ...POD, spec: { containers: 'app' } })),
  },
  {
    title: 'a Pod with a container that is null',
    body: () => review(create({ ...POD, spec: { containers: [null] } })),
  },
  {
    title: 'labels that are numbers',
    body: () => review(create({ ...POD, metadata: { name: 'p', labels: { app: 1 } } })),
  },
  { title: 'an operation that does not exist', body: () => review({ ...create(POD), operation: 'MERGE' }) },
  { title: 'an object of another kind', body: () => review(create({ apiVersion: 'x/v9', kind: 'Y' })) },
  { title: 'a member called __proto__', body: () => review(create(POD)).replace('"spec"', '"__proto__"') },
  { title: 'a body of another type', body: () => 'a=b', contentType: 'application/x-www-form-urlencoded' },
  {
    title: 'a list of 20,000 levels',
    body: () => review(create(POD)).replace('"x"', '['.repeat(20_000) + ']'.repeat(20_000)),
  },
  {
    title: 'a review of 12 MiB',
    body: () =>
      review(create({ ...POD, metadata: { name: 'p', annotations: { big: 'x'.repeat(12 * MEBIBYTE) } } })),
  },
];

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [] } };

function create(object: object): object {
  return {
    uid: 'x',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'verify' },
    object,
    oldObject: null,
    dryRun: true,
  };
}

function review(request: object | undefined): string {
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
}
