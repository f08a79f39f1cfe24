import {
  type DeepReadonly,
  isJsonArray,
  isJsonObject,
  isLess,
  type Json,
  type Pod,
  type ResourceRequirements,
  shortened,
  withoutShared,
} from '../../../sdk/index.ts';
import type { LanguageName } from '../annotations.ts';
import type { Options } from '../options.ts';
import type { NamedVolume } from '../plan/pod-plan.ts';
import type { Instrumentation, InstrumentationSpec } from '../resources/instrumentation.ts';

type Resources = DeepReadonly<ResourceRequirements>;
type Amounts = NonNullable<Resources['limits']>;
type Amount = Amounts[string] | undefined;

const LIMITS: Amounts = { cpu: '500m', memory: '256Mi' };

/**
 * The resources of an agent's container. Limits and requests have separate defaults, and an empty map means none. A default is
 * adjusted to the configured counterpart, because the API server rejects a limit below its request.
 */
export function agentResources(
  language: LanguageName,
  configured: Resources | undefined,
  requests: { readonly cpu: string; readonly memory: string },
  { defaulted }: Instrumentation,
  { maxResources }: Options,
): Resources {
  const { limits, requests: configuredRequests } = configured ?? {};
  // The operator has stored its defaults by then. It also omits empty maps, which mean none.
  if (configured !== undefined && defaulted?.has(language)) return configured;
  const isMore = (amount: Amount, most: Amount) => isLess(most, amount);
  const most = (amounts: Amounts) => adjusted(amounts, maxResources, isMore);
  return {
    limits: adjusted(most(LIMITS), configuredRequests, isLess),
    requests: adjusted(most(requests), limits, isMore),
    ...configured,
  };
}

/** Replaces defaults that conflict with configured amounts. */
function adjusted(defaults: Amounts, configured: Amounts = {}, conflicts: typeof isLess): Amounts {
  let amounts = defaults;
  for (const [name, amount] of Object.entries(configured)) {
    const isDefault = Object.hasOwn(defaults, name) && amount !== undefined;
    if (isDefault && conflicts(defaults[name], amount)) amounts = { ...amounts, [name]: amount };
  }
  return amounts;
}

/** Why the API server would reject a container with these resources: a limit below its request. */
export function resourcesProblem(
  configured: Resources | undefined,
  pod: DeepReadonly<Pod>,
): string | undefined {
  if (configured === undefined) return undefined;
  const { limits = {}, requests = {} } = withoutShared(configured, pod);
  const request = (name: string) => (Object.hasOwn(requests, name) ? requests[name] : undefined);
  const name = Object.keys(limits).find((resource) => isLess(limits[resource], request(resource)));
  if (name === undefined) return undefined;
  const [limit, least] = [limits[name], request(name)].map((amount) => shortened(String(amount)));
  return `its ${shortened(name)} limit of ${limit} is below its request of ${least}`;
}

type Section = InstrumentationSpec['java' | 'nodejs' | 'apacheHttpd'];

/** A volume for the files of an agent. */
export function agentVolume(name: string, section: Section): NamedVolume {
  const { volumeClaimTemplate } = section;
  if (isEmpty(volumeClaimTemplate as Json | undefined)) return emptyVolume(name, section);
  return { name, ephemeral: { volumeClaimTemplate } };
}

export function emptyVolume(name: string, { volumeLimitSize = '200Mi' }: Section): NamedVolume {
  return { name, emptyDir: { sizeLimit: volumeLimitSize } };
}

/** The operator stores a template of empty parts if none is set. */
function isEmpty(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '';
}
