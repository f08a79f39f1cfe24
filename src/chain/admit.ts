import { randomUUID } from 'node:crypto';
import type { Authorize } from '../cel/values/authorizer-values.ts';
import type { JsonObject } from '../json/json.ts';
import type { Attributes } from '../policy/attributes.ts';
import { clusterObjects } from '../policy/cluster-objects.ts';
import { codecOf } from '../policy/codec.ts';
import type { Status } from '../policy/status.ts';
import { betweenPhases } from './between-phases.ts';
import type { CallWebhook } from './call-webhook.ts';
import { type ChainContext, withObject } from './context.ts';
import { decodeRequest } from './decode-request.ts';
import { mutatingPhase } from './mutating-phase.ts';
import type { Outcome } from './outcome.ts';
import { PLUGINS } from './plugins/plugins.ts';
import { createRecorder } from './recorder.ts';
import { type ChainRequest, resolveRequest } from './request.ts';
import { validatingPhase } from './validating-phase.ts';

export interface ChainOptions {
  /** Webhook configurations, policies and their bindings, in any order. */
  readonly configurations?: readonly JsonObject[];
  /** Namespaces, parameters of policies, ServiceAccounts, LimitRanges, CustomResourceDefinitions, … */
  readonly objects?: readonly JsonObject[];
  /** Required if a webhook may match. */
  readonly call?: CallWebhook;
  /** Answers `authorizer` in conditions and policies; without it, expressions that use it fail. */
  readonly authorize?: Authorize;
  /** The API server's own plugins to run, by name; by default all that are modelled. */
  readonly plugins?: readonly string[];
  /** The uids of reviews and objects, from which generated names are made; random by default. */
  readonly newUid?: () => string;
}

/** How long a request may take, unless its client sets a shorter timeout. */
const REQUEST_SECONDS = 34;

/** Takes a request through the admission phase of the API server: the object to store, or the reason for a rejection. */
export async function admit(request: ChainRequest, options: ChainOptions): Promise<Outcome> {
  const cluster = clusterObjects(options.objects ?? []);
  const attributes = resolveRequest(request, cluster.customResource);
  const recorder = createRecorder();
  const newUid = options.newUid ?? randomUUID;
  const context: ChainContext = {
    configurations: options.configurations ?? [],
    cluster,
    ...(options.authorize && { authorize: options.authorize }),
    call: options.call ?? noCall,
    plugins: PLUGINS.filter(({ name }) => options.plugins?.includes(name) ?? true),
    recorder,
    codec: codecOf(attributes.kind, cluster),
    deadline: performance.now() + (request.timeoutSeconds ?? REQUEST_SECONDS) * 1000,
    newUid,
    newSuffix: () => nameSuffix(newUid()),
  };
  const { current, status } = await run(attributes, context);
  const { object } = current;
  const { warnings, steps: trace } = recorder;
  const recorded = {
    object,
    warnings,
    trace,
    /** Computed on demand: the texts of all patches cost more than applying them. */
    get auditAnnotations() {
      return recorder.annotations;
    },
  };
  return status === undefined
    ? Object.assign(recorded, { allowed: true as const })
    : Object.assign(recorded, { allowed: false as const, status });
}

interface Run {
  /** The request with the object as it is at the end. */
  readonly current: Attributes;
  readonly status?: Status;
}

async function run(request: Attributes, context: ChainContext): Promise<Run> {
  const decoded = decodeRequest(request, context);
  if ('code' in decoded) return { current: request, status: decoded };
  const mutated = await mutatingPhase(decoded, context);
  if ('status' in mutated) return { current: decoded, status: mutated.status };
  const current = withObject(decoded, mutated.object);
  const prepared = betweenPhases(current, context);
  if ('code' in prepared) return { current, status: prepared };
  const status = await validatingPhase(prepared, context);
  return { current: prepared, ...(status && { status }) };
}

/** From the alphabet of generated names, which has no vowels and no similar-looking characters. */
function nameSuffix(uid: string): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  const digits = uid.replaceAll('-', '');
  const character = (_: unknown, index: number) =>
    alphabet[Number.parseInt(digits.slice(index * 4, index * 4 + 4), 16) % alphabet.length];
  return Array.from({ length: 5 }, character).join('');
}

async function noCall(): Promise<never> {
  throw new Error('Cannot call webhooks: set `call`');
}
