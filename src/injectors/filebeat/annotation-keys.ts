const NAMES = [
  'enabled',
  'log-path',
  'configmap',
  'image',
  'worker',
  'bulk-max-size',
  'resources.requests.cpu',
  'resources.requests.memory',
  'resources.limits.cpu',
  'resources.limits.memory',
  'lifecycle.type',
  'lifecycle.exec.command',
  'lifecycle.httpget.path',
  'lifecycle.httpget.port',
  'lifecycle.httpget.scheme',
] as const;

export type AnnotationName = (typeof NAMES)[number];
export type AnnotationKeys = { readonly [Name in AnnotationName]: string };

/** The full keys of all annotations, made once: they are looked up in every Pod. */
export function annotationKeys(prefix: string): AnnotationKeys {
  // NAMES are all there are.
  return Object.fromEntries(NAMES.map((name) => [name, prefix + name])) as AnnotationKeys;
}
