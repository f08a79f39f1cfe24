import type { Container, DeepReadonly } from '../../../sdk/index.ts';
import { RESOURCE_PREFIX, SERVICE_NAME, SERVICE_NAMESPACE, SERVICE_VERSION } from '../annotations.ts';
import type { Injection } from '../injection.ts';
import { OWNER_KINDS, type Owner } from '../owners.ts';
import { lastOf } from '../plan/by-name.ts';
import { type Env, type EnvPlan, RESOURCE_ATTRIBUTES } from '../plan/env-plan.ts';
import type { InstrumentationSpec } from '../resources/instrumentation.ts';

export const POD_NAME = fieldRef('OTEL_RESOURCE_ATTRIBUTES_POD_NAME', 'metadata.name');
export const POD_UID = fieldRef('OTEL_RESOURCE_ATTRIBUTES_POD_UID', 'metadata.uid');
export const NODE_NAME = fieldRef('OTEL_RESOURCE_ATTRIBUTES_NODE_NAME', 'spec.nodeName');

/** The attributes of a container: the value of the variable with all of them and, rarely needed, one by one. Both are sorted by key. */
export interface Attributes {
  readonly text: string;
  entries(): readonly Entry[];
}

type Entry = readonly [key: string, value: string];

type App = DeepReadonly<Container>;

/** A value that is known, or follows from the container and its Pod; undefined if the container lacks the attribute. */
type Value = string | ((app: App, injection: Injection) => string | undefined);

/** Attributes as far as they follow from the Instrumentation: those of owners and annotations are missing. */
export interface PreparedAttributes {
  readonly byKey: ReadonlyMap<string, Value>;
  readonly sorted: readonly (readonly [string, Value])[];
}

export function fieldRef(name: string, fieldPath: string): Env {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

const POD_NAME_VALUE = `$(${POD_NAME.name})`;
const POD_UID_VALUE = `$(${POD_UID.name})`;
const NODE_NAME_VALUE = `$(${NODE_NAME.name})`;
const VERSION = 'service.version';

/** Prepares the attributes that identify the source of telemetry. */
export function prepareAttributes(spec: InstrumentationSpec): PreparedAttributes {
  const { resourceAttributes: configured, addK8sUIDAttributes } = spec.resource;
  const attributes = new Map<string, Value>();
  if (addK8sUIDAttributes) attributes.set('k8s.pod.uid', POD_UID_VALUE);
  for (const key in configured) if (isAttributeKey(key)) attributes.set(key, configured[key] ?? '');
  attributes.set('k8s.namespace.name', (_, { namespace }) => namespace);
  attributes.set('k8s.pod.name', POD_NAME_VALUE);
  attributes.set('k8s.node.name', (_, { pod }) => pod.spec?.nodeName || NODE_NAME_VALUE);
  attributes.set('k8s.container.name', ({ name }) => name);
  attributes.set(
    'service.instance.id',
    ({ name }, { namespace }) => `${namespace}.${POD_NAME_VALUE}.${name}`,
  );
  attributes.set('service.namespace', (_, injection) => serviceNamespace(injection));
  attributes.set(
    VERSION,
    ({ image = '' }, injection) =>
      declaredVersion(spec, injection) ??
      imageVersion(image) ??
      injection.podAnnotations[SERVICE_VERSION] ??
      configured[VERSION],
  );
  return { byKey: attributes, sorted: sortedByKey(attributes) };
}

/** The attributes of a Pod's containers. Those of its annotations take precedence. */
export interface PodAttributes {
  /** The value of one that is the same for all containers. */
  get(key: string): string | undefined;
  of(app: App): Attributes;
}

/** What all containers share is collected once: a Pod can have thousands of annotations. */
export function podAttributes(
  spec: InstrumentationSpec,
  { byKey, sorted }: PreparedAttributes,
  injection: Injection,
): PodAttributes {
  const own = new Map<string, string>();
  setOwners(own, injection.owners, spec.resource.addK8sUIDAttributes);
  setAnnotated(own, injection);
  const all = merged(sorted, sortedByKey(own));
  return {
    get: (key) => {
      const value = own.get(key) ?? byKey.get(key);
      return typeof value === 'function' ? undefined : value;
    },
    of: (app) => {
      const resolved = (known: Value) => (typeof known === 'function' ? known(app, injection) : known);
      let text = '';
      for (const [key, known] of all) text = withAttribute(text, key, resolved(known));
      const entries = () =>
        all.flatMap(([key, known]) => {
          const value = resolved(known);
          return value === undefined ? [] : [[key, value] as const];
        });
      return { text, entries };
    },
  };
}

/** Merges two sorted lists, of which the second takes precedence. */
function merged(
  left: PreparedAttributes['sorted'],
  right: PreparedAttributes['sorted'],
): PreparedAttributes['sorted'] {
  const all: (readonly [string, Value])[] = [];
  let next = 0;
  for (const entry of right) {
    const [key] = entry;
    for (; next < left.length && (left[next]?.[0] ?? '') < key; next++) all.push(left[next] as typeof entry);
    if (left[next]?.[0] === key) next++;
    all.push(entry);
  }
  for (; next < left.length; next++) all.push(left[next] as (typeof left)[number]);
  return all;
}

/** These have their own variables or defaults. */
const SPECIAL: ReadonlySet<string> = new Set([SERVICE_NAME, SERVICE_NAMESPACE, SERVICE_VERSION]);

function setAnnotated(
  attributes: Map<string, string>,
  { podAnnotations, resourceAnnotations }: Injection,
): void {
  for (const annotation of resourceAnnotations) {
    const key = annotation.slice(RESOURCE_PREFIX.length);
    if (isAttributeKey(key) && !SPECIAL.has(annotation))
      attributes.set(key, podAnnotations[annotation] ?? '');
  }
}

export function sortedByKey<V>(attributes: ReadonlyMap<string, V>): [string, V][] {
  return [...attributes].sort(([left], [right]) => (left < right ? -1 : 1));
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
    const keys = OWNER_KEYS.get(kind);
    if (keys === undefined) continue;
    attributes.set(keys.name, name);
    if (withUids && uid !== '') attributes.set(keys.uid, uid);
  }
}

const OWNER_KEYS = new Map(
  OWNER_KINDS.map((kind) => {
    const prefix = `k8s.${kind.toLowerCase()}`;
    return [kind, { name: `${prefix}.name`, uid: `${prefix}.uid` }];
  }),
);

/** Appends the attributes that neither the planned environment nor `others` have, in their order. */
export function extendAttributes(
  env: EnvPlan,
  attributes: Attributes,
  others?: ReadonlyMap<string, string>,
): void {
  const extend = (text: string) => {
    // The usual case, on the first call and on later ones.
    if (others === undefined && (text === '' || text === attributes.text)) return attributes.text;
    const existing = parseAttributes(text);
    const added = textOf(attributes.entries().filter(([key]) => !existing.has(key) && !others?.has(key)));
    return added === '' || text === '' || text.endsWith(',') ? text + added : `${text},${added}`;
  };
  env.add({ name: RESOURCE_ATTRIBUTES, extend });
}

export function attributesFrom(entries: readonly Entry[]): Attributes {
  return { text: textOf(entries), entries: () => entries };
}

function textOf(entries: readonly Entry[]): string {
  let text = '';
  for (const [key, value] of entries) text = withAttribute(text, key, value);
  return text;
}

function withAttribute(text: string, key: string, value: string | undefined): string {
  if (value === undefined) return text;
  return text === '' ? `${key}=${value}` : `${text},${key}=${value}`;
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
export function attributesIn(env: readonly Env[]): ReadonlyMap<string, string> {
  return parseAttributes(lastOf(env, RESOURCE_ATTRIBUTES)?.value ?? '');
}

function parseAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  if (text === '') return attributes;
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    if (equals > 0) attributes.set(part.slice(0, equals).trim(), part.slice(equals + 1));
  }
  return attributes;
}

/**
 * The name of a Pod's service; undefined if each container has its own. Derived from the attributes, so that an attribute of a
 * user that names the workload also names the service.
 */
export function serviceName(
  attributes: PodAttributes,
  spec: InstrumentationSpec,
  injection: Injection,
): string | undefined {
  const { pod, podAnnotations } = injection;
  const declared = podAnnotations[SERVICE_NAME] || labelOf(NAME_LABELS, spec, injection);
  if (declared) return declared;
  for (const { name } of OWNER_KEYS.values()) {
    const owner = attributes.get(name);
    if (owner) return owner;
  }
  return pod.metadata?.name || undefined;
}

const NAME_LABELS = ['app.kubernetes.io/instance', 'app.kubernetes.io/name'];
const VERSION_LABELS = ['app.kubernetes.io/version'];

/** Without it, the version is that of the image. */
function declaredVersion(spec: InstrumentationSpec, injection: Injection): string | undefined {
  const annotated = injection.podAnnotations[SERVICE_VERSION];
  return annotated || labelOf(VERSION_LABELS, spec, injection);
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
