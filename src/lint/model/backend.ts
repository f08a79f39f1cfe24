import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { valueAt } from '../../json/value-at.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { asJson, type StringMap } from '../../kube/kube-object.ts';
import { templatePathOf } from '../../kube/workload.ts';
import type { Inventory } from './inventory.ts';
import type { Source } from './source.ts';
import { textOf } from './text.ts';
import type { ServiceRef, Webhook } from './webhook.ts';

/** The server behind one or more webhooks. */
export interface Backend {
  readonly ref: ServiceRef;
  readonly webhooks: readonly Webhook[];
  /** Undefined if it is not among the objects. */
  readonly service: Source | undefined;
  /** The workloads whose Pods the Service selects. */
  readonly workloads: readonly Workload[];
}

export interface Workload {
  readonly source: Source;
  readonly labels: StringMap;
  readonly pod: JsonObject;
  readonly containers: readonly JsonObject[];
  readonly serviceAccount: string;
}

const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController'];

/** One backend for each Service that webhooks call. */
export function backendsOf(inventory: Inventory): Backend[] {
  const byService = new Map<string, Webhook[]>();
  for (const webhook of inventory.webhooks) {
    if (webhook.service === undefined) continue;
    const key = `${webhook.service.namespace}/${webhook.service.name}`;
    byService.set(key, [...(byService.get(key) ?? []), webhook]);
  }
  return [...byService.values()].flatMap((webhooks) => {
    const ref = webhooks[0]?.service;
    return ref === undefined ? [] : { ref, webhooks, ...serverOf(inventory, ref) };
  });
}

/** The Service of a webhook, and the workloads behind it. */
export function serverOf(inventory: Inventory, ref: ServiceRef): Pick<Backend, 'service' | 'workloads'> {
  const service = inventory.find('Service', ref.namespace, ref.name);
  if (service === undefined) return { service, workloads: [] };
  const { selector } = membersOf(asJson(service.object).spec);
  const wanted = Object.entries(membersOf(selector));
  const workloads = workloadsIn(inventory, ref.namespace).filter(
    ({ labels }) => wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value),
  );
  return { service, workloads };
}

export function workloadsIn(inventory: Inventory, namespace: string): Workload[] {
  return WORKLOADS.flatMap((kind) => inventory.list(kind, namespace)).flatMap((source) => {
    // The Pods of a ReplicaSet are those of its Deployment.
    if ((source.object.metadata.ownerReferences ?? []).length > 0) return [];
    const template = membersOf(valueAt(asJson(source.object), templatePathOf(source.object) ?? ''));
    const pod = membersOf(template.spec);
    return {
      source,
      labels: stringMembers(membersOf(template.metadata).labels),
      pod,
      containers: itemsOf(pod.containers).filter(isJsonObject),
      serviceAccount: textOf(pod.serviceAccountName, 'default'),
    };
  });
}

function stringMembers(value: Parameters<typeof membersOf>[0]): StringMap {
  return Object.fromEntries(Object.entries(membersOf(value)).map(([key, text]) => [key, textOf(text)]));
}

/** The container that receives the reviews: the one with the Service's port, else the first. */
export function servingContainer(
  { containers }: Workload,
  { service, ref }: Backend,
): JsonObject | undefined {
  const target = service && targetPort(service, ref.port);
  const owner = containers.find(({ ports }) =>
    itemsOf(ports).some((port) => {
      const { name, containerPort } = membersOf(port);
      return target !== undefined && (name === target || containerPort === target);
    }),
  );
  return owner ?? containers[0];
}

/** The port of the Pods behind a port of the Service; undefined if the Service does not have it. */
export function targetPort(service: Source, port: number): string | number | undefined {
  const ports = itemsOf(membersOf(asJson(service.object).spec).ports).map(membersOf);
  const found = ports.find((each) => each.port === port);
  if (found === undefined) return undefined;
  const { targetPort: target } = found;
  return typeof target === 'string' || typeof target === 'number' ? target : port;
}

export function specOf({ object }: Source): JsonObject {
  return membersOf(asJson(object).spec);
}
