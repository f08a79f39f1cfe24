import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { escapeSegment } from '../json/pointer.ts';
import { checkResources, isAmount } from './container-validation.ts';
import { itemsOf, membersOf } from './json-parts.ts';
import { type ProblemList, quoted } from './problem-list.ts';
import { isLess, thousandthsOf } from './quantity.ts';

/**
 * Reports why the API server would reject the resources of a whole Pod (KEP-2837): its containers request more together, or one
 * of them has a higher limit. Both depend on all containers, so nothing is checked only if none has changed.
 */
export function checkSharedResources(
  spec: JsonObject,
  before: JsonObject,
  isPod: boolean,
  problems: ProblemList,
): void {
  if (FIELDS.every((field) => spec[field] === before[field])) return;
  const shared = membersOf(spec.resources);
  checkResources(shared, { path: () => '/spec', where: () => '', problems });
  const [requests, limits] = [membersOf(shared.requests), membersOf(shared.limits)];
  const add = (field: string, resource: string, message: string) =>
    problems.add(`/spec/resources/${field}/${escapeSegment(resource)}`, message);
  for (const resource of exceeded(spec, requestsOf(shared, isPod), (each) => requestsOf(each, isPod))) {
    const request = member(requests, resource);
    const message =
      request === undefined
        ? `expected at most the limit ${quoted(limits[resource])}, but defaults to what the containers request together`
        : `expected at least what the containers request together, found ${quoted(request)}`;
    add('requests', resource, message);
  }
  const limitsOf = (resources: JsonObject) => membersOf(resources.limits);
  for (const resource of exceeded(spec, limits, limitsOf)) {
    // The only resources that cannot be overcommitted.
    if (!resource.startsWith('hugepages-')) continue;
    const limit = quoted(limits[resource]);
    add('limits', resource, `expected at least the limits of the containers together, found ${limit}`);
  }
  checkLimits(itemsOf(spec.containers), limits, problems);
}

const FIELDS = ['resources', 'containers', 'initContainers'];

/** The API server fills requests with limits in a Pod, and not in a template. */
function requestsOf({ requests, limits }: JsonObject, isPod: boolean): JsonObject {
  return isPod ? { ...membersOf(limits), ...membersOf(requests) } : membersOf(requests);
}

/**
 * The resources of which containers that run at the same time have more than `available`: each init container runs with the
 * sidecars before it, all other containers with all sidecars.
 */
function exceeded(
  spec: JsonObject,
  available: JsonObject,
  amountsOf: (resources: JsonObject) => JsonObject,
): readonly string[] {
  const sums = new Map<string, Sum>();
  const addAmounts = (container: Json, add: (sum: Sum, amount: bigint) => void) => {
    const amounts = amountsOf(membersOf(membersOf(container).resources));
    for (const resource in amounts) {
      const value = member(amounts, resource);
      const amount = isAmount(value) ? thousandthsOf(value) : undefined;
      if (amount === undefined || member(available, resource) === undefined) continue;
      const sum = sums.get(resource) ?? { running: 0n, most: 0n };
      sums.set(resource, sum);
      add(sum, amount);
    }
  };
  for (const container of itemsOf(spec.initContainers)) {
    const isSidecar = membersOf(container).restartPolicy === 'Always';
    addAmounts(container, (sum, amount) => {
      if (sum.running + amount > sum.most) sum.most = sum.running + amount;
      if (isSidecar) sum.running += amount;
    });
  }
  for (const container of itemsOf(spec.containers)) {
    addAmounts(container, (sum, amount) => {
      sum.running += amount;
    });
  }
  const resources: string[] = [];
  for (const [resource, { running, most }] of sums) {
    const limit = member(available, resource);
    const amount = isAmount(limit) ? thousandthsOf(limit) : undefined;
    if (amount !== undefined && (running > amount || most > amount)) resources.push(resource);
  }
  return resources;
}

/** In thousandths. */
interface Sum {
  /** Of containers that keep running. */
  running: bigint;
  /** While an init container runs. */
  most: bigint;
}

/** The limits of init containers are not compared. */
function checkLimits(containers: readonly Json[], shared: JsonObject, problems: ProblemList): void {
  for (let index = 0; index < containers.length && !problems.isFull; index++) {
    const container = containers[index] as Json;
    if (!isJsonObject(container)) continue;
    const limits = membersOf(membersOf(container.resources).limits);
    for (const resource in limits) {
      const [limit, most] = [member(limits, resource), member(shared, resource)];
      if (!isAmount(limit) || !isAmount(most) || !isLess(most, limit)) continue;
      problems.add(
        `/spec/containers/${index}/resources/limits/${escapeSegment(resource)}`,
        `container ${quoted(container.name)}: expected at most the Pod's limit ${quoted(most)}, found ${quoted(limit)}`,
      );
    }
  }
}
