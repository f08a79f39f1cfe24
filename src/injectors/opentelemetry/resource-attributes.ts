import { stable } from '../../json/stable.ts';
import { type Container, type DeepReadonly, labelsOf } from '../../sdk/index.ts';
import { keyOf } from '../../sdk/memory.ts';
import { RESOURCE_PREFIX, textOf } from './annotations.ts';
import { type Env, type EnvPlan, lastOf, RESOURCE_ATTRIBUTES } from './env-plan.ts';
import { imageVersion } from './image-version.ts';
import type { InstrumentationSpec } from './instrumentation.ts';
import { type Owner, ownersOf } from './owners.ts';
import { preparedFor } from './prepared.ts';
import type { Subject } from './subject.ts';

export const POD_NAME = 'OTEL_RESOURCE_ATTRIBUTES_POD_NAME';
export const POD_UID = 'OTEL_RESOURCE_ATTRIBUTES_POD_UID';
export const NODE_NAME = 'OTEL_RESOURCE_ATTRIBUTES_NODE_NAME';

/** What telemetry says about where it comes from, as it is written: sorted by key. */
export interface Attributes {
  readonly sorted: readonly { readonly key: string; readonly text: string }[];
  /** All of them, for an environment that has none. */
  readonly env: Env;
}

type Values = Map<string, string>;
type App = DeepReadonly<Container>;

/** What telemetry of a container is to say; the same for all Pods of a workload. */
export function resourceAttributes(app: App, spec: InstrumentationSpec, subject: Subject): Attributes {
  const { pod, namespace, podAnnotations } = subject;
  const texts = [namespace, app.name, pod.spec?.nodeName, versionOf(app, spec, subject)];
  for (const { kind, name, uid } of ownersOf(subject)) texts.push(kind, name, uid);
  for (const key of Object.keys(podAnnotations)) {
    if (key.startsWith(RESOURCE_PREFIX)) texts.push(key, String(podAnnotations[key]));
  }
  return preparedFor(spec).attributes(keyOf(texts), () => toAttributes(valuesFor(app, spec, subject)));
}

export function toAttributes(values: Values): Attributes {
  const sorted = [...values.keys()].sort().map((key) => ({ key, text: `${key}=${values.get(key)}` }));
  const value = sorted.map(({ text }) => text).join(',');
  return { sorted, env: stable({ name: RESOURCE_ATTRIBUTES, value }) };
}

function valuesFor(app: App, spec: InstrumentationSpec, subject: Subject): Values {
  const { pod, namespace, podAnnotations } = subject;
  const withUids = spec.resource.addK8sUIDAttributes;
  const attributes: Values = new Map(Object.entries(spec.resource.resourceAttributes));
  attributes.set('k8s.namespace.name', namespace);
  attributes.set('k8s.container.name', app.name);
  attributes.set('k8s.pod.name', `$(${POD_NAME})`);
  attributes.set('k8s.node.name', pod.spec?.nodeName || `$(${NODE_NAME})`);
  if (withUids && !attributes.has('k8s.pod.uid')) attributes.set('k8s.pod.uid', `$(${POD_UID})`);
  for (const owner of ownersOf(subject)) setOwner(attributes, owner, withUids);
  attributes.set('service.namespace', serviceNamespace(subject));
  attributes.set('service.instance.id', `${namespace}.$(${POD_NAME}).${app.name}`);
  const version = versionOf(app, spec, subject);
  if (version !== undefined) attributes.set('service.version', version);
  for (const key of Object.keys(podAnnotations)) {
    if (!key.startsWith(RESOURCE_PREFIX)) continue;
    const attribute = key.slice(RESOURCE_PREFIX.length);
    // This one has a variable of its own.
    if (attribute !== 'service.name') attributes.set(attribute, podAnnotations[key] ?? '');
  }
  return attributes;
}

export function setOwner(attributes: Values, { kind, name, uid }: Owner, withUid: boolean): void {
  const key = kind.toLowerCase();
  attributes.set(`k8s.${key}.name`, name);
  if (withUid && uid !== '') attributes.set(`k8s.${key}.uid`, uid);
}

/** Adds the attributes that are not there yet, sorted by key. Nothing changes once all are. */
export function extendAttributes(env: EnvPlan, attributes: Attributes): void {
  if (env.get(RESOURCE_ATTRIBUTES) === undefined) {
    env.add(attributes.env);
    return;
  }
  env.extend(RESOURCE_ATTRIBUTES, (text) => {
    let ours = '';
    for (const { key, text: attribute } of attributes.sorted) {
      if (text !== '' && attributeAt(text, key) >= 0) continue;
      ours += `${ours === '' ? '' : ','}${attribute}`;
    }
    if (ours === '' || text === '') return text + ours;
    return `${text}${text.endsWith(',') ? '' : ','}${ours}`;
  });
}

/** An attribute that an environment sets; undefined where it does not, or where it cannot be seen. */
export function attributeOf(env: readonly Env[], key: string): string | undefined {
  const text = lastOf(env, RESOURCE_ATTRIBUTES)?.value ?? '';
  const start = attributeAt(text, key);
  return start < 0 ? undefined : text.slice(start + key.length + 1).split(',', 1)[0];
}

/** Where `key=` stands in a list of attributes, or -1. Searched rather than parsed: there are a dozen for every container. */
function attributeAt(text: string, key: string): number {
  let at = text.indexOf(key);
  while (at >= 0) {
    const before = text[at - 1];
    const isStart = before === undefined || before === ',' || before === ' ';
    if (isStart && text[at + key.length] === '=') return at;
    at = text.indexOf(key, at + 1);
  }
  return -1;
}

/** The order of the operator: what the user says, then the workload, from the outside in. */
const NAMING_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job'];

export function serviceName(app: App, spec: InstrumentationSpec, subject: Subject): string {
  const { pod, podAnnotations } = subject;
  const said = textOf(podAnnotations, `${RESOURCE_PREFIX}service.name`);
  if (said !== '') return said;
  const label = labelOf(['app.kubernetes.io/instance', 'app.kubernetes.io/name'], spec, subject);
  if (label !== undefined) return label;
  const owners = ownersOf(subject);
  for (const kind of NAMING_KINDS) {
    const owner = owners.find((candidate) => candidate.kind === kind);
    if (owner !== undefined) return owner.name;
  }
  return pod.metadata?.name || app.name;
}

export function serviceNamespace({ podAnnotations, namespace }: Subject): string {
  return textOf(podAnnotations, `${RESOURCE_PREFIX}service.namespace`) || namespace;
}

function versionOf(app: App, spec: InstrumentationSpec, subject: Subject): string | undefined {
  return labelOf(['app.kubernetes.io/version'], spec, subject) ?? imageVersion(app.image ?? '');
}

function labelOf(keys: readonly string[], spec: InstrumentationSpec, { pod }: Subject): string | undefined {
  if (!spec.defaults.useLabelsForResourceAttributes || pod.metadata === undefined) return undefined;
  const labels = labelsOf({ metadata: pod.metadata });
  return keys.map((key) => textOf(labels, key)).find((value) => value !== '');
}
