import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { compareQuantities, isQuantity } from '../kube/quantity.ts';

/** `status.qosClass` of a Pod, which its requests and limits of CPU and memory decide. */
export function qosClass({ spec }: JsonObject): string {
  const members = isJsonObject(spec) ? spec : {};
  const containers = ['containers', 'initContainers']
    .flatMap((list) => (isJsonArray(members[list]) ? (members[list] as readonly Json[]) : []))
    .filter(isJsonObject)
    .map(({ resources }) => (isJsonObject(resources) ? resources : {}));
  const amount = (resources: JsonObject, kind: string, name: string) => {
    const amounts = resources[kind];
    const value = isJsonObject(amounts) ? amounts[name] : undefined;
    return value !== undefined && isQuantity(String(value)) && compareQuantities(String(value), 0) > 0
      ? String(value)
      : undefined;
  };
  const isGuaranteed = containers.every((resources) =>
    ['cpu', 'memory'].every((name) => {
      const limit = amount(resources, 'limits', name);
      const request = amount(resources, 'requests', name) ?? limit;
      return limit !== undefined && request !== undefined && compareQuantities(limit, request) === 0;
    }),
  );
  if (isGuaranteed && containers.length > 0) return 'Guaranteed';
  const hasAny = containers.some((resources) =>
    ['requests', 'limits'].some((kind) => ['cpu', 'memory'].some((name) => amount(resources, kind, name))),
  );
  return hasAny ? 'Burstable' : 'BestEffort';
}
