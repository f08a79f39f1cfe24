import type { JsonObject } from '../../src/json/json.ts';
import type { HookCall } from './hook-server.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';

/** What a server answered, in full. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[];
  /** Undefined if the server does not report it. */
  readonly auditAnnotations?: { readonly [key: string]: string };
  readonly calls: readonly HookCall[];
}

/** An answer reduced to the form of the recorded one: only recorded parts, with random ones made equal. */
export function reduceAnswer(answer: Answer, expected: ScenarioResult, scenario: Scenario): unknown {
  const calls = answer.calls.map((call, index) => reduceCall(call, expected.calls[index] ?? {}));
  return normalised({
    status: answer.status,
    body: reduceBody(answer.body, expected.body),
    calls: isUnordered(scenario) ? sorted(calls) : calls,
    warnings: answer.warnings,
    ...(answer.auditAnnotations &&
      expected.auditAnnotations && {
        auditAnnotations: ordered(answer.auditAnnotations, expected.auditAnnotations),
      }),
  });
}

/** The recorded result in the same form. */
export function expectedAnswer(
  expected: ScenarioResult,
  scenario: Scenario,
  withAnnotations: boolean,
): unknown {
  return normalised({
    status: expected.status,
    body: expected.body,
    calls: isUnordered(scenario) ? sorted(expected.calls) : expected.calls,
    warnings: (expected.warnings ?? []).map(warningText),
    ...(withAnnotations && expected.auditAnnotations && { auditAnnotations: expected.auditAnnotations }),
  });
}

/** `299 - "text"` → `text`. Headers are bytes, which were recorded one character each. */
export function warningText(header: string): string {
  const quoted = /^299 - "(.*)"$/s.exec(header)?.[1] ?? header;
  return Buffer.from(quoted.replace(/\\(.)/g, '$1'), 'latin1').toString('utf8');
}

/** Validating webhooks are called at once, and the API server tries to delete a Pod several times. */
function isUnordered({ deterministic }: Scenario): boolean {
  return deterministic === false;
}

/** Each call once, in any order. */
function sorted(calls: readonly unknown[]): unknown[] {
  const texts = new Set(calls.map((call) => JSON.stringify(sortedKeys(call))));
  return [...texts].toSorted().map((text) => JSON.parse(text) as unknown);
}

function sortedKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sortedKeys(child)]));
}

/** Long patches were recorded in part, if at all. */
function ordered(
  found: Answer['auditAnnotations'],
  expected: NonNullable<Answer['auditAnnotations']>,
): object {
  return Object.fromEntries(
    Object.entries(found ?? {}).filter(
      ([key]) => !(key.startsWith('patch.') && expected[key]?.includes('<...')),
    ),
  );
}

function reduceCall({ hook, url, review }: HookCall, expected: JsonObject): JsonObject {
  const request = review.request as unknown as ReducedRequest;
  const { kind, resource, subResource, object, oldObject } = request;
  return {
    hook,
    url,
    operation: request.operation,
    kind: `${kind.group}/${kind.version}/${kind.kind}`,
    resource: `${resource.group}/${resource.version}/${resource.resource}${subResource === undefined ? '' : `/${subResource}`}`,
    ...(request.name !== undefined && { name: request.name }),
    ...(request.namespace !== undefined && { namespace: request.namespace }),
    user: request.userInfo.username,
    ...(request.dryRun && { dryRun: true }),
    objectKind: object?.kind ?? null,
    oldObjectKind: oldObject?.kind ?? null,
    options: request.options,
    ...('seen' in expected && { seen: seen(expected.seen, review.apiVersion, request) }),
    ...('review' in expected && { review: review as unknown as JsonObject }),
  } as JsonObject;
}

interface ReducedRequest {
  readonly operation: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly dryRun: boolean;
  readonly userInfo: { readonly username: string };
  readonly options: unknown;
  readonly object: ReducedObject | null;
  readonly oldObject: ReducedObject | null;
}

interface ReducedObject {
  readonly kind: string;
  readonly metadata: { readonly [field: string]: unknown };
  readonly spec: {
    readonly containers: readonly {
      readonly name: string;
      readonly resources?: object;
      readonly volumeMounts?: readonly { readonly name: string }[];
    }[];
    readonly volumes?: readonly { readonly name: string }[];
  };
}

/** The part of a review that a scenario recorded; the recorded value shows which. */
function seen(
  expected: unknown,
  apiVersion: string,
  { object, userInfo, name, options }: ReducedRequest,
): unknown {
  if (typeof expected === 'string') return apiVersion;
  if (object === null) return undefined;
  const { metadata, spec } = object;
  const keys = Object.keys((Array.isArray(expected) ? expected[0] : expected) as object);
  if (keys.includes('username')) return userInfo;
  if (keys.includes('vols')) {
    const mounts = spec.containers.map(
      (each) => `${each.name}:${(each.volumeMounts ?? []).map((mount) => mount.name)}`,
    );
    return { labels: metadata.labels, mounts, vols: (spec.volumes ?? []).map((volume) => volume.name) };
  }
  if (keys.includes('object')) {
    const { generateName, uid = 'absent' } = metadata;
    const own = metadata.name ?? 'absent';
    return { name: name ?? 'absent', object: { name: own, generateName, uid, creationTimestamp: '<time>' } };
  }
  if (keys.includes('fieldValidation'))
    return [options, 'foo' in (spec.containers[0] ?? {}) ? 'kept' : 'dropped'];
  if (keys.includes('requests')) {
    const resources = spec.containers.map((each) => each.resources);
    return Array.isArray(expected) ? resources : resources[0];
  }
  return Array.isArray(expected) ? spec.containers : metadata.labels;
}

/** Only the recorded parts of an object: the recorded object shows which. */
function reduceBody(body: unknown, expected: unknown): unknown {
  if (Array.isArray(expected))
    return containersOf((body as { spec: JsonObject }).spec).map(({ name }) => name);
  if (!isObject(body) || !isObject(expected) || 'message' in expected) return body;
  const { metadata = {}, spec = {} } = body as { metadata?: JsonObject; spec?: JsonObject };
  const reduced: Record<string, unknown> = {};
  for (const key of Object.keys(expected)) {
    const wanted = expected[key];
    if (key === 'metadata')
      reduced[key] = pick(metadata, ['name', 'generateName', 'labels', 'annotations'], wanted);
    else if (key === 'spec') reduced[key] = reduceSpec(spec, wanted as JsonObject);
    else if (key === 'labels') reduced[key] = metadata.labels;
    else if (key === 'mf') reduced[key] = metadata.managedFields === undefined ? 'absent' : 'present';
    // Revisions are numbers of the recorded server.
    else if (key === 'rv' || key === 'code' || key === 'n') reduced[key] = wanted;
    else if (key === 'gen') reduced[key] = metadata.generation;
    else if (key === 'requests') reduced[key] = containersOf(spec)[0]?.resources?.requests;
    else if (wanted === 'absent') reduced[key] = key in spec ? 'present' : 'absent';
    else reduced[key] = body[key];
  }
  return reduced;
}

/** Older recordings omit the name. */
function pick(object: JsonObject, fields: readonly string[], wanted: unknown): object {
  const isRecorded = (field: string) =>
    !['name', 'annotations'].includes(field) || field in (wanted as object) || !isSparse(wanted);
  return Object.fromEntries(
    fields
      .filter((field) => object[field] !== undefined && isRecorded(field))
      .map((field) => [field, object[field]]),
  );
}

function isSparse(wanted: unknown): boolean {
  return !('name' in (wanted as object));
}

function reduceSpec(spec: JsonObject, wanted: JsonObject): object {
  const reduced: Record<string, unknown> = {};
  for (const key of Object.keys(wanted)) {
    if (key === 'volumes')
      reduced[key] = ((spec.volumes ?? []) as readonly { name: string }[]).map(({ name }) => name);
    else if (key === 'containers') {
      const fields = new Set(
        ((wanted.containers ?? []) as readonly object[]).flatMap((container) => Object.keys(container)),
      );
      reduced[key] = containersOf(spec).map((container) =>
        Object.fromEntries(Object.entries(container).filter(([field]) => fields.has(field))),
      );
    } else reduced[key] = spec[key];
  }
  return reduced;
}

function containersOf(spec: JsonObject) {
  return (spec.containers ?? []) as readonly {
    readonly name: string;
    readonly resources?: { readonly requests?: object };
  }[];
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Random and changing parts look the same in both. */
export function normalised(value: unknown): unknown {
  if (typeof value === 'string') {
    return (
      value
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
        .replace(/kube-api-access-[A-Za-z0-9]{5}/g, 'kube-api-access-XXXXX')
        .replace(/\bweb-[a-z0-9]{5}\b/g, 'web-XXXXX')
        // The place in the sources depends on how the server was built.
        .replace(/in scheme "[^"]*"/g, 'in scheme "…"')
        // A diff of the API server's internal types.
        .replace(/(pod updates may not change [^\n]*)\n@@ -[\s\S]*$/, '$1')
        // The wording of a parser generator.
        .replace(/Syntax error: [^\n]*/g, 'Syntax error')
        .replace(/127\.0\.0\.1:\d{2,}/g, '127.0.0.1:PORT')
    );
  }
  if (Array.isArray(value)) return value.map(normalised);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .map(([key, child]) => [key, key === 'managedFields' ? '<managedFields>' : normalised(child)]),
  );
}
