import type { Container, DeepReadonly } from '../../../sdk/index.ts';
import { RESOURCE_PREFIX, SERVICE_NAME, SERVICE_NAMESPACE, SERVICE_VERSION } from '../annotations.ts';
import type { Injection } from '../injection.ts';
import { OWNER_KINDS, type Owner } from '../owners.ts';
import { type Env, type EnvPlan, lastOf, RESOURCE_ATTRIBUTES } from '../plan/env-plan.ts';
import type { InstrumentationSpec } from '../resources/instrumentation.ts';

export const POD_NAME = fieldRef('OTEL_RESOURCE_ATTRIBUTES_POD_NAME', 'metadata.name');
export const POD_UID = fieldRef('OTEL_RESOURCE_ATTRIBUTES_POD_UID', 'metadata.uid');
export const NODE_NAME = fieldRef('OTEL_RESOURCE_ATTRIBUTES_NODE_NAME', 'spec.nodeName');

export type Attributes = ReadonlyMap<string, string>;
type App = DeepReadonly<Container>;

export function fieldRef(name: string, fieldPath: string): Env {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

const CONTAINER_NAME = 'k8s.container.name';
const INSTANCE_ID = 'service.instance.id';
const VERSION = 'service.version';

/**
 * The attributes that identify the source of a container's telemetry, sorted by key. Those of the Pod's annotations take
 * precedence. What all containers share is collected once: a Pod can have thousands of annotations.
 */
export function resourceAttributes(
  spec: InstrumentationSpec,
  injection: Injection,
): (app: App) => Attributes {
  const { pod, namespace, podAnnotations } = injection;
  const withUids = spec.resource.addK8sUIDAttributes;
  const shared = new Map<string, string>();
  const { resourceAttributes: configured } = spec.resource;
  for (const key in configured) if (isAttributeKey(key)) shared.set(key, configured[key] ?? '');
  shared.set('k8s.namespace.name', namespace);
  shared.set('k8s.pod.name', `$(${POD_NAME.name})`);
  shared.set('k8s.node.name', pod.spec?.nodeName || `$(${NODE_NAME.name})`);
  if (withUids && !shared.has('k8s.pod.uid')) shared.set('k8s.pod.uid', `$(${POD_UID.name})`);
  setOwners(shared, injection.owners, withUids);
  const annotated = annotatedAttributes(podAnnotations);
  for (const [key, value] of annotated) shared.set(key, value);
  // After the annotations, because an empty one means the default.
  shared.set('service.namespace', serviceNamespace(injection));
  const version = declaredVersion(spec, injection);
  if (version !== undefined) shared.set(VERSION, version);
  const lacksVersion = !shared.has(VERSION);
  for (const key of [CONTAINER_NAME, INSTANCE_ID, VERSION]) if (!shared.has(key)) shared.set(key, '');
  const sorted = sortedByKey(shared);

  return ({ name, image = '' }) => {
    const attributes = new Map(sorted);
    if (!annotated.has(CONTAINER_NAME)) attributes.set(CONTAINER_NAME, name);
    if (!annotated.has(INSTANCE_ID)) attributes.set(INSTANCE_ID, `${namespace}.$(${POD_NAME.name}).${name}`);
    const own = version ?? imageVersion(image);
    if (own !== undefined) attributes.set(VERSION, own);
    else if (lacksVersion) attributes.delete(VERSION);
    return attributes;
  };
}

function annotatedAttributes(annotations: Injection['podAnnotations']): Attributes {
  const attributes = new Map<string, string>();
  for (const annotation in annotations) {
    // The service's name has a variable of its own.
    if (!annotation.startsWith(RESOURCE_PREFIX) || annotation === SERVICE_NAME) continue;
    const key = annotation.slice(RESOURCE_PREFIX.length);
    if (isAttributeKey(key)) attributes.set(key, annotations[annotation] ?? '');
  }
  return attributes;
}

export function sortedByKey(attributes: Attributes): Attributes {
  return new Map([...attributes].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Any other key would be read back as a different one, and therefore be added again by every call. */
function isAttributeKey(key: string): boolean {
  return key !== '' && !key.includes('=') && !key.includes(',') && key === key.trim();
}

export function setOwners(
  attributes: Map<string, string>,
  owners: readonly Owner[],
  withUids: boolean,
): void {
  for (const { kind, name, uid } of owners) {
    const key = kind.toLowerCase();
    attributes.set(`k8s.${key}.name`, name);
    if (withUids && uid !== '') attributes.set(`k8s.${key}.uid`, uid);
  }
}

/** Appends the attributes that neither the planned environment nor `others` have, in their order. */
export function extendAttributes(env: EnvPlan, attributes: Attributes, others?: Attributes): void {
  const extend = (text: string) => {
    const all = textOf(attributes);
    // The usual case, on the first call and on later ones.
    if (others === undefined && (text === '' || text === all)) return all;
    const existing = parseAttributes(text);
    const missing = [...attributes].filter(([key]) => !existing.has(key) && !others?.has(key));
    const added = textOf(missing);
    return added === '' || text === '' || text.endsWith(',') ? text + added : `${text},${added}`;
  };
  env.add({ name: RESOURCE_ATTRIBUTES, extend });
}

function textOf(attributes: Iterable<readonly [string, string]>): string {
  let text = '';
  for (const [key, value] of attributes) text += `${text === '' ? '' : ','}${key}=${value}`;
  return text;
}

/** An attribute that an environment sets; undefined if it does not, or if the variable has no plain value. */
export function attributeOf(env: readonly Env[], key: string): string | undefined {
  return attributeIn(lastOf(env, RESOURCE_ATTRIBUTES)?.value ?? '', key);
}

/** An attribute that a text sets; the last one of that key. Reads only the parts that contain the key. */
export function attributeIn(text: string, key: string): string | undefined {
  for (let from = text.length; from >= 0; ) {
    const found = text.lastIndexOf(key, from);
    if (found < 0) return undefined;
    const start = text.lastIndexOf(',', found) + 1;
    const comma = text.indexOf(',', found);
    const part = text.slice(start, comma < 0 ? text.length : comma);
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === key) return part.slice(equals + 1);
    from = start - 2;
  }
  return undefined;
}

/** The attributes that an environment sets. */
export function attributesIn(env: readonly Env[]): Attributes {
  return parseAttributes(lastOf(env, RESOURCE_ATTRIBUTES)?.value ?? '');
}

function parseAttributes(text: string): Attributes {
  const attributes = new Map<string, string>();
  if (text === '') return attributes;
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    if (equals > 0) attributes.set(part.slice(0, equals).trim(), part.slice(equals + 1));
  }
  return attributes;
}

const OWNER_NAMES = OWNER_KINDS.map((kind) => `k8s.${kind.toLowerCase()}.name`);

/** Derived from the attributes, so that an attribute of a user that names the workload also names the service. */
export function serviceName(
  app: App,
  attributes: Attributes,
  spec: InstrumentationSpec,
  injection: Injection,
): string {
  const { pod, podAnnotations } = injection;
  const annotated = podAnnotations[SERVICE_NAME];
  if (annotated) return annotated;
  const label = labelOf(['app.kubernetes.io/instance', 'app.kubernetes.io/name'], spec, injection);
  if (label !== undefined) return label;
  const key = OWNER_NAMES.find((name) => attributes.get(name));
  return (key && attributes.get(key)) || pod.metadata?.name || app.name;
}

/** Without it, the version is that of the image. */
function declaredVersion(spec: InstrumentationSpec, injection: Injection): string | undefined {
  const annotated = injection.podAnnotations[SERVICE_VERSION];
  return annotated || labelOf(['app.kubernetes.io/version'], spec, injection);
}

export function serviceNamespace({ podAnnotations, namespace }: Injection): string {
  return podAnnotations[SERVICE_NAMESPACE] || namespace;
}

function labelOf(keys: readonly string[], spec: InstrumentationSpec, { pod }: Injection): string | undefined {
  if (!spec.defaults.useLabelsForResourceAttributes) return undefined;
  return keys.map((key) => pod.metadata?.labels?.[key]).find((value) => value);
}

/** `tag`, `tag@digest` or `digest` of an image; undefined if it has neither. */
export function imageVersion(image: string): string | undefined {
  const [name = '', digest = ''] = image.includes('@') ? image.split('@', 2) : [image];
  // A colon before the last slash separates the registry's port.
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  const tag = colon < 0 ? '' : name.slice(colon + 1);
  if (tag === '' || digest === '') return tag || digest || undefined;
  return `${tag}@${digest}`;
}
