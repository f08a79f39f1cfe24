import { withoutShared } from '../../kube/pod-resources.ts';
import { isLess } from '../../kube/quantity.ts';
import type { DeepReadonly, Pod, ResourceRequirements } from '../../sdk/index.ts';

type Amounts = NonNullable<DeepReadonly<ResourceRequirements>['limits']>;

const LIMITS: Amounts = { cpu: '500m', memory: '256Mi' };

/**
 * What an agent's container asks for. Limits and requests are defaulted apart: an empty map says that there shall be none. What is
 * defaulted gives way to what is said of the other, since the API server refuses a limit below its request.
 */
export function agentResources(
  wanted: DeepReadonly<ResourceRequirements> | undefined,
  requests: { readonly cpu: string; readonly memory: string },
  pod: DeepReadonly<Pod>,
): DeepReadonly<ResourceRequirements> {
  if (wanted === undefined) return withoutShared({ limits: LIMITS, requests }, pod);
  const fitted = {
    limits: instead(LIMITS, wanted.requests, isLess),
    requests: instead(requests, wanted.limits, (request, limit) => isLess(limit, request)),
    ...wanted,
  };
  return withoutShared(fitted, pod);
}

/** Why the API server would refuse a container that asks for this: a request above its limit, which is nobody's default. */
export function resourcesRefusal(
  wanted: DeepReadonly<ResourceRequirements> | undefined,
  pod: DeepReadonly<Pod>,
): string | undefined {
  const { limits = {}, requests = {} } = withoutShared(wanted ?? {}, pod);
  const name = Object.keys(limits).find((resource) => isLess(limits[resource], requests[resource]));
  if (name === undefined) return undefined;
  return `its resources limit ${name} to ${limits[name]}, which is below the request of ${requests[name]}`;
}

/** The amounts, with what is said in the place of those that go wrong beside it. */
function instead(amounts: Amounts, said: Amounts = {}, isWrong: typeof isLess): Amounts {
  const entries = Object.entries(amounts);
  return Object.fromEntries(
    entries.map(([name, amount]) => [name, isWrong(amount, said[name]) ? (said[name] ?? amount) : amount]),
  );
}
