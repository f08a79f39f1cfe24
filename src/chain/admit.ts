import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json/json.ts';
import { sameJson } from '../json/same-json.ts';
import type { Attributes } from '../policy/attributes.ts';
import type { CallWebhook } from './call-webhook.ts';
import { clusterObjects, metadataOf } from './cluster-objects.ts';
import { codecOf } from './codec.ts';
import { type ChainContext, withObject } from './context.ts';
import { decodeRequest } from './decode-request.ts';
import { newMutatingState } from './mutating-state.ts';
import type { Outcome, Status } from './outcome.ts';
import type { Plugin, PluginTools } from './plugins/plugin.ts';
import { PLUGINS } from './plugins/plugins.ts';
import { prepareCreation, prepareUpdate, withoutRepeatedOwners } from './prepare-object.ts';
import { createRecorder } from './recorder.ts';
import { type ChainRequest, resolveRequest } from './request.ts';
import { runMutatingWebhooks } from './run-mutating-webhooks.ts';
import { runMutatingPlugins, runValidatingPlugins } from './run-plugins.ts';
import { runValidatingWebhooks } from './run-validating-webhooks.ts';
import { badRequest, conflict } from './status.ts';
import { validateObject } from './validate-object.ts';
import { webhooksOf } from './webhook.ts';

export interface ChainOptions {
  /** Webhook configurations, policies and their bindings, in any order. */
  readonly configurations?: readonly JsonObject[];
  /** Namespaces, parameters of policies, ServiceAccounts, LimitRanges, CustomResourceDefinitions, … */
  readonly objects?: readonly JsonObject[];
  /** Required if a webhook may match. */
  readonly call?: CallWebhook;
  /** The API server's own plugins to run, by name; by default all that are modelled. */
  readonly plugins?: readonly string[];
}

/** How long a request may take, unless its client asks for less. */
const REQUEST_SECONDS = 34;

/** Takes a request through the admission phase of the API server, and says what would be stored, or why nothing would be. */
export async function admit(request: ChainRequest, options: ChainOptions): Promise<Outcome> {
  const cluster = clusterObjects(options.objects ?? []);
  const recorder = createRecorder();
  const attributes = resolveRequest(request, (kind) => cluster.customResource(kind));
  const context: ChainContext = {
    cluster,
    recorder,
    call: options.call ?? noCall,
    codec: codecOf(attributes.kind),
    deadline: performance.now() + (request.timeoutSeconds ?? REQUEST_SECONDS) * 1000,
    newUid: randomUUID,
  };
  const plugins = PLUGINS.filter(({ name }) => options.plugins?.includes(name) ?? true);
  let current = attributes;
  const status = await run();
  const recorded = {
    warnings: recorder.warnings,
    auditAnnotations: recorder.annotations,
    trace: recorder.steps,
  };
  return status === undefined
    ? { allowed: true, object: current.object, ...recorded }
    : { allowed: false, status, object: current.object, ...recorded };

  async function run(): Promise<Status | undefined> {
    const decoded = decodeRequest(attributes, context);
    if ('code' in decoded) return decoded;
    current = decoded;
    const tools: PluginTools = { cluster, suffix: () => nameSuffix(context.newUid()) };
    return (
      (await mutate(tools)) ??
      prepare() ??
      (await validate(current, plugins, tools, context, options.configurations ?? []))
    );
  }

  async function mutate(tools: PluginTools): Promise<Status | undefined> {
    const webhooks = webhooksOf(options.configurations ?? [], 'mutating');
    const isFresh = current.operation === 'CREATE' || !sameJson(current.object, current.oldObject);
    const state = newMutatingState(isFresh);
    for (;;) {
      const plugged = runMutatingPlugins(plugins, current, state.round, tools, context);
      if ('status' in plugged) return plugged.status;
      current = withObject(current, plugged.object);
      const called = await runMutatingWebhooks(webhooks, current, state, context);
      if ('status' in called) return called.status;
      current = withObject(current, called.object);
      if (state.round === 1 || !state.needsRound) return undefined;
      state.round = 1;
    }
  }

  /** Between the phases: identity, first status, API validation. */
  function prepare(): Status | undefined {
    const { object, oldObject, operation, namespace } = current;
    if (object === null || operation === 'CONNECT' || operation === 'DELETE') return undefined;
    const started = performance.now();
    const status = check();
    recorder.step({
      type: 'validation',
      milliseconds: performance.now() - started,
      result: status === undefined ? { outcome: 'unchanged' } : { outcome: 'rejected', status },
    });
    return status;

    function check(): Status | undefined {
      if (object === null) return undefined;
      const found = metadataOf(object).namespace;
      const isNamespaced = namespace !== '' && current.resource.resource !== 'namespaces';
      if (isNamespaced && typeof found === 'string' && found !== '' && found !== namespace) {
        return badRequest(
          'the namespace of the provided object does not match the namespace sent on the request',
        );
      }
      if (operation === 'UPDATE' && isStale(object, oldObject)) return conflict(current);
      const unique = withObject(current, withoutRepeatedOwners(object));
      const prepared =
        operation === 'CREATE' ? prepareCreation(unique, generated(context)) : prepareUpdate(unique);
      const { name } = metadataOf(prepared);
      current = {
        ...current,
        object: prepared,
        name: typeof name === 'string' && current.subresource === '' ? name : current.name,
      };
      return validateObject(current);
    }
  }
}

async function validate(
  request: Attributes,
  plugins: readonly Plugin[],
  tools: PluginTools,
  context: ChainContext,
  configurations: readonly JsonObject[],
): Promise<Status | undefined> {
  return (
    runValidatingPlugins(plugins, request, tools, context) ??
    (await runValidatingWebhooks(webhooksOf(configurations, 'validating'), request, context))
  );
}

function isStale(object: JsonObject, oldObject: JsonObject | null): boolean {
  const found = metadataOf(object).resourceVersion;
  const stored = metadataOf(oldObject ?? {}).resourceVersion;
  return found !== undefined && found !== '' && stored !== undefined && found !== stored;
}

function generated({ newUid }: ChainContext) {
  return { uid: newUid(), time: timestamp(), suffix: nameSuffix(newUid()) };
}

function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Five characters from the alphabet of generated names, which has no vowels and nothing that looks alike. */
function nameSuffix(uid: string): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  const digits = uid.replaceAll('-', '');
  return Array.from(
    { length: 5 },
    (_, index) => alphabet[Number.parseInt(digits.slice(index * 4, index * 4 + 4), 16) % 27],
  ).join('');
}

async function noCall(): Promise<never> {
  throw new Error('no way to call webhooks was given');
}
