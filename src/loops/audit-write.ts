import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import { itemsOf, membersOf } from '../kube/json-parts.ts';
import type { EventParts } from './event-parts.ts';
import type { Fingerprint } from './fingerprint.ts';
import { scanObject } from './scan-object.ts';

/** A write that the API server has accepted, from its audit event. */
export interface AuditWrite {
  /** `Deployment "shop/web"`; with the uid, so that a new object of the same name is not confused with it. */
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
  /** The body of the request; undefined if it was not logged. */
  readonly request: () => Json | undefined;
  /** The object as it was stored. */
  readonly object: () => JsonObject;
  /** Valid until the next write is read. */
  readonly state: Fingerprint;
  readonly webhookPatches: readonly WebhookPatch[];
}

/** What one webhook changed in one field. */
export interface WebhookPatch {
  readonly webhook: string;
  readonly configuration: string;
  readonly path: Pointer;
}

/** Why an event is ignored. */
export type IgnoreReason = 'not-an-event' | 'not-a-write' | 'no-bodies';

const WRITES = new Set(['create', 'update', 'patch', 'apply']);

export function readWrite({ event, request, response }: EventParts): AuditWrite | IgnoreReason {
  if (event.kind !== 'Event' || typeof event.verb !== 'string') return 'not-an-event';
  const { verb, stage, objectRef, responseStatus } = event;
  if (!WRITES.has(verb) || stage !== 'ResponseComplete' || !isJsonObject(objectRef)) return 'not-a-write';
  if (isRejected(responseStatus) || isOtherObject(objectRef) || isDryRun(event)) return 'not-a-write';
  if (response.length === 0 || response.equals(NULL)) return 'no-bodies';
  const scanned = scanObject(response);
  if (scanned === undefined) return 'not-an-event';
  const { state, uid, namespace, name, resourceVersion } = scanned;
  // A status, or a review that is answered and never stored.
  if (uid === '') return 'not-a-write';
  const resource = resourceOf(objectRef);
  const { username } = membersOf(event.impersonatedUser ?? event.user);
  return {
    key: `${resource}/${namespace}/${name}/${uid}`,
    resource,
    namespace,
    name,
    user: text(username),
    program: programOf(text(event.userAgent)),
    time: Date.parse(text(event.requestReceivedTimestamp) || text(event.stageTimestamp)) || 0,
    version: Number(resourceVersion) || 0,
    isPatch: verb === 'patch' || verb === 'apply',
    request: () => tryParseJson(request.toString()),
    object: () => membersOf(tryParseJson(response.toString())),
    state,
    webhookPatches: isJsonObject(event.annotations) ? patchesOf(event.annotations) : [],
  };
}

const NULL = Buffer.from('null');

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

function isDryRun({ requestURI }: JsonObject): boolean {
  return /[?&]dryRun=[^&]/.test(text(requestURI));
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
  return membersOf(tryParseJson(text(value)));
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
