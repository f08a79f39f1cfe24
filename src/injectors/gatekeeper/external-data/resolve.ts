import {
  type Call,
  type CallView,
  type ClusterView,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  PodgraftError,
  quoted,
  withMember,
} from '../../../sdk/index.ts';
import { isPlaceholder, type Placeholder } from '../mutate/placeholder.ts';
import { PROVIDER } from '../resource/resources.ts';
import { readProvider } from './read-provider.ts';
import { type Item, type Items, readReply } from './read-reply.ts';

export interface Sources {
  /** Providers of the configuration, by name. */
  readonly providers: ReadonlyMap<string, KubeObject>;
  /** Undefined if the cluster is not read. */
  readonly cluster: ClusterView | undefined;
  readonly calls: CallView;
}

/** The object with all data in place, or undefined until all providers have replied. */
export function resolvePlaceholders(
  object: JsonObject,
  sources: Sources,
): { readonly object: JsonObject; readonly warnings: readonly string[] } | undefined {
  const wanted = new Map<string, Set<string>>();
  collectKeys(object, wanted);
  const found = new Map<string, Items>();
  for (const [provider, keys] of wanted) {
    const items = askProvider(provider, keys, sources);
    // All providers are called at once.
    if (items !== undefined) found.set(provider, items);
  }
  if (found.size < wanted.size) return undefined;
  const warnings = new Set<string>();
  return { object: replaceIn(object, found, warnings) as JsonObject, warnings: [...warnings] };
}

function collectKeys(value: Json, wanted: Map<string, Set<string>>): void {
  if (isPlaceholder(value)) {
    const { provider } = value.source;
    wanted.set(provider, (wanted.get(provider) ?? new Set()).add(value.key));
  } else if (isJsonArray(value)) {
    for (const item of value) collectKeys(item, wanted);
  } else if (isJsonObject(value)) {
    for (const child of Object.values(value)) collectKeys(child, wanted);
  }
}

/** Keys are values of the object, and may have megabytes. Images and names have a few hundred characters. */
const LONGEST_KEY = 4096;
const LONGEST_KEYS = 256 * 1024;

/** One call for all keys. Undefined until there is a reply. */
function askProvider(name: string, keys: ReadonlySet<string>, sources: Sources): Items | undefined {
  const resource = sources.providers.get(name) ?? sources.cluster?.get(PROVIDER, undefined, name);
  if (resource === undefined) return { failure: `there is no Provider "${name}"` };
  const provider = readProvider(resource);
  if ('problem' in provider) return { failure: provider.problem };
  const { url, ca, timeoutMs } = provider;
  const known = knownItems(url, sources.calls);
  const unknown = [...keys].filter((key) => !known.has(key)).sort();
  const refused = refusedKeys(unknown);
  const sent = unknown.filter((key) => !refused.has(key));
  if (sent.length === 0) return { values: new Map([...known, ...refused]) };
  const call: Call = {
    url,
    ca,
    timeoutMs,
    body: {
      apiVersion: 'externaldata.gatekeeper.sh/v1beta1',
      kind: 'ProviderRequest',
      request: { keys: sent },
    },
  };
  const reply = sources.calls.reply(call);
  if (reply === undefined) return undefined;
  const items = readReply(reply);
  return 'failure' in items ? items : { values: new Map([...known, ...refused, ...items.values]) };
}

/**
 * Keys that are not sent. A provider might fail because of them, and that is no fault of the object: whoever writes its values could
 * have the review answered with 500.
 */
function refusedKeys(keys: readonly string[]): ReadonlyMap<string, Item> {
  const refused = new Map<string, Item>();
  const areTooLong = keys.reduce((length, key) => length + key.length, 0) > LONGEST_KEYS;
  for (const key of keys) {
    if (areTooLong) refused.set(key, { failure: `its keys have more than ${LONGEST_KEYS} characters` });
    else if (key.length > LONGEST_KEY)
      refused.set(key, { failure: `key ${quoted(key)} has more than ${LONGEST_KEY} characters` });
  }
  return refused;
}

/**
 * The provider's reply to this request. The injector runs again on its own result and finds the provider's values there:
 * a provider promises to be idempotent, so each of them maps to itself.
 */
function knownItems(url: string, { replies }: CallView): ReadonlyMap<string, Item> {
  const known = new Map<string, Item>();
  for (const { call, reply } of replies) {
    const items = 'url' in call && call.url === url ? readReply(reply) : undefined;
    if (items === undefined || 'failure' in items) continue;
    for (const item of items.values.values()) {
      if ('value' in item && !known.has(item.value)) known.set(item.value, item);
    }
    for (const [key, item] of items.values) known.set(key, item);
  }
  return known;
}

function replaceIn(value: Json, found: ReadonlyMap<string, Items>, warnings: Set<string>): Json {
  if (isPlaceholder(value)) return valueFor(value, found, warnings);
  if (isJsonArray(value)) {
    const next = value.map((item) => replaceIn(item, found, warnings));
    return next.some((item, index) => item !== value[index]) ? next : value;
  }
  if (!isJsonObject(value)) return value;
  let next = value;
  for (const [key, child] of Object.entries(value)) {
    const replaced = replaceIn(child, found, warnings);
    if (replaced !== child) next = withMember(next, key, replaced);
  }
  return next;
}

function valueFor(
  { source, key }: Placeholder,
  found: ReadonlyMap<string, Items>,
  warnings: Set<string>,
): string {
  const { provider, failurePolicy } = source;
  const items = found.get(provider);
  const item = items === undefined || 'failure' in items ? items : items.values.get(key);
  if (item !== undefined && 'value' in item) return item.value;
  const reason = item?.failure ?? `the reply has no item ${quoted(key)}`;
  if (failurePolicy === 'Fail') {
    // Without an answer, no value of the object is at fault.
    const code = items !== undefined && 'failure' in items ? 'PROVIDER_FAILED' : 'MUTATION_FAILED';
    throw new PodgraftError(code, `Provider "${provider}" failed: ${reason}`);
  }
  const instead = failurePolicy === 'UseDefault' ? 'the default is used' : 'the key is used as the value';
  warnings.add(`Provider "${provider}" failed, ${instead}: ${reason}`);
  return failurePolicy === 'UseDefault' ? source.default : key;
}
