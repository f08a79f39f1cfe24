/** An object whose time is limited. */
export interface LargeObject {
  readonly name: string;
  readonly make: () => object;
  /** The only injector that reads it; all if absent. */
  readonly use?: string;
  /** No injector touches it: only its size is looked at. */
  readonly isBeyond?: true;
}

export const KIB = 1024;
export const web = { name: 'web', image: 'nginx:1' };
export const everything = {
  'filebeat.enabled': 'true',
  'instrumentation.opentelemetry.io/inject-java': 'inst',
  'instrumentation.opentelemetry.io/inject-sdk': 'inst',
  'sidecar.opentelemetry.io/inject': 'col',
};

export function pod(spec: object, annotations: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', annotations: { ...everything, ...annotations } },
    spec: { serviceAccountName: 'role', containers: [web], ...spec },
  };
}

export const count = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));
export const env = (length: number) => count(length, (index) => ({ name: `V${index}`, value: 'x' }));
export const mounts = (length: number) => count(length, (index) => ({ name: 'v', mountPath: `/m/${index}` }));
export const containers = (length: number) => count(length, (index) => ({ ...web, name: `c${index}` }));
export const names = (length: number) => count(length, (index) => `c${index}`).join(',');
export const notes = (bytes: number, size: number) =>
  Object.fromEntries(
    count(Math.floor(bytes / size), (index) => [`example.com/k${index}`, 'x'.repeat(size - 24)]),
  );
export const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
