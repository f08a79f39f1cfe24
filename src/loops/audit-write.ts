import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { itemsOf, membersOf } from '../kube/json-parts.ts';
import { type EventParts, tryParse } from './event-parts.ts';

/** A write that the API server has accepted, from its audit event. */
export interface AuditWrite {
  /** `Deployment "shop/web"`; with the uid, so that a new object of the same name is another one. */
  readonly key: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  /** The program, from the user agent. */
  readonly program: string;
  readonly time: number;
  readonly version: number;
  /** Whether the request carries a patch (a JSON Patch or the fields to merge) instead of the object. */
  readonly isPatch: boolean;
  readonly requestText: string;
  /** As it was stored. */
  readonly object: JsonObject;
  readonly webhookPatches: readonly WebhookPatch[];
}

/** What one webhook changed in one field. */
export interface WebhookPatch {
  readonly webhook: string;
  readonly configuration: string;
  readonly path: Pointer;
}

/** Why an event is of no use here. */
export type Unused = 'not-an-event' | 'not-a-write' | 'no-bodies';

const WRITES = new Set(['create', 'update', 'patch', 'apply']);

export function readWrite({ event, requestText, responseText }: EventParts): AuditWrite | Unused {
  if (event.kind !== 'Event' || typeof event.verb !== 'string') return 'not-an-event';
  const { verb, stage, objectRef, responseStatus } = event;
  if (!WRITES.has(verb) || stage !== 'ResponseComplete' || !isJsonObject(objectRef)) return 'not-a-write';
  if (isRejected(responseStatus) || isOtherObject(objectRef)) return 'not-a-write';
  if (responseText === '') return 'no-bodies';
  const object = tryParse(responseText);
  if (!isJsonObject(object)) return object === undefined ? 'not-an-event' : 'no-bodies';
  const { metadata, kind } = object;
  if (kind === 'Status' || !isJsonObject(metadata)) return 'not-a-write';
  const { uid, resourceVersion, namespace, name } = metadata;
  const resource = resourceOf(objectRef);
  const { username } = membersOf(event.impersonatedUser ?? event.user);
  return {
    key: `${resource}/${text(namespace)}/${text(name)}/${text(uid)}`,
    resource,
    namespace: text(namespace),
    name: text(name),
    user: text(username),
    program: programOf(text(event.userAgent)),
    time: Date.parse(text(event.requestReceivedTimestamp) || text(event.stageTimestamp)) || 0,
    version: Number(resourceVersion) || 0,
    isPatch: verb === 'patch' || verb === 'apply',
    requestText,
    object,
    webhookPatches: isJsonObject(event.annotations) ? patchesOf(event.annotations) : [],
  };
}

function isRejected(status: Json | undefined): boolean {
  const { code } = membersOf(status);
  return typeof code === 'number' && code >= 400;
}

/** The body of `scale`, `binding` and the like is not the object itself. */
function isOtherObject({ subresource }: JsonObject): boolean {
  return (
    typeof subresource === 'string' && !['', 'status', 'ephemeralcontainers', 'resize'].includes(subresource)
  );
}

/** `deployments.apps`. */
function resourceOf({ resource, apiGroup }: JsonObject): string {
  return typeof apiGroup === 'string' && apiGroup !== '' ? `${text(resource)}.${apiGroup}` : text(resource);
}

/** `kubectl/v1.36.0 (linux/amd64) kubernetes/abc` → `kubectl/v1.36.0`. */
function programOf(userAgent: string): string {
  const end = userAgent.indexOf(' ');
  return end < 0 ? userAgent : userAgent.slice(0, end);
}

const PATCH = 'patch.webhook.admission.k8s.io/';

function patchesOf(annotations: JsonObject): WebhookPatch[] {
  const found: WebhookPatch[] = [];
  for (const key in annotations) {
    if (!key.startsWith(PATCH)) continue;
    const { webhook, configuration, patch } = parsed(annotations[key]);
    for (const operation of itemsOf(patch)) {
      const { path } = membersOf(operation);
      if (typeof path !== 'string') continue;
      found.push({ webhook: text(webhook), configuration: text(configuration), path });
    }
  }
  return found;
}

function parsed(value: Json | undefined): JsonObject {
  return membersOf(tryParse(text(value)));
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
