import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, setMember } from '../json/member.ts';
import { checkContainer } from './container-validation.ts';
import { itemsOf, membersOf } from './json-parts.ts';
import { metadataProblems } from './metadata-problems.ts';
import { type PodProblem, ProblemList, quoted } from './problem-list.ts';
import { checkSharedResources } from './shared-resources-validation.ts';

/**
 * Why the API server would reject a Pod or a Pod template: those rules of its validation that injection can break. Values of a wrong
 * type, which it rejects before validation, are not reported. Linear in the size of the Pod.
 *
 * `claimVolumes` are volumes that a controller adds later, such as those of a StatefulSet's claim templates. Parts that are
 * identical (`===`) in `before` are not checked again.
 */
export function podValidationProblems(
  { kind, metadata, spec }: JsonObject,
  claimVolumes: readonly string[] = [],
  before: JsonObject = {},
): readonly PodProblem[] {
  const problems = new ProblemList();
  if (isJsonObject(metadata)) checkMetadata(metadata, membersOf(before.metadata), problems);
  if (!isJsonObject(spec) || spec === before.spec) return problems.found;
  problems.oneOf(spec, 'restartPolicy', SPEC, RESTART_POLICIES);
  problems.oneOf(spec, 'dnsPolicy', SPEC, DNS_POLICIES);
  if (spec.dnsPolicy === 'None' && itemsOf(membersOf(spec.dnsConfig).nameservers).length === 0) {
    problems.add('/spec/dnsConfig/nameservers', 'expected at least one, since dnsPolicy is "None"');
  }
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    problems.add('/spec/shareProcessNamespace', 'cannot be true together with hostPID');
  }
  const volumes = new Set<Json | undefined>(claimVolumes);
  checkVolumes(itemsOf(spec.volumes), itemsOf(membersOf(before.spec).volumes), volumes, problems);
  checkContainers(spec, volumes, membersOf(before.spec), problems);
  if (isJsonObject(spec.resources)) {
    checkSharedResources(spec, membersOf(before.spec), kind === 'Pod', problems);
  }
  return problems.found;
}

const SPEC = () => '/spec';
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];
/** For keys and values together (apimachinery: TotalAnnotationSizeLimitB). */
const MOST_ANNOTATIONS = 256 * 1024;

function checkMetadata({ labels, annotations }: JsonObject, before: JsonObject, problems: ProblemList): void {
  if (labels === before.labels && annotations === before.annotations) return;
  const changed = {
    labels: changedMembers(labels, before.labels),
    annotations: changedMembers(annotations, before.annotations),
  };
  for (const { path, message } of metadataProblems(changed)) {
    problems.addAt(['metadata', ...path], message);
  }
  if (annotations === before.annotations || !isJsonObject(annotations)) return;
  let size = 0;
  for (const key in annotations) size += key.length + String(annotations[key]).length;
  if (size > MOST_ANNOTATIONS) problems.add('/metadata/annotations', `larger than ${MOST_ANNOTATIONS} bytes`);
}

function changedMembers(now: Json | undefined, before: Json | undefined): JsonObject {
  if (now === before) return {};
  if (!isJsonObject(before)) return membersOf(now);
  const changed: Record<string, Json> = {};
  const members = membersOf(now);
  for (const key in members) {
    const value = members[key] as Json;
    if (value !== member(before, key)) setMember(changed, key, value);
  }
  return changed;
}

function checkVolumes(
  list: readonly Json[],
  before: readonly Json[],
  known: Set<Json | undefined>,
  problems: ProblemList,
): void {
  const names = new Set<Json | undefined>();
  let index = 0;
  const path = () => `/spec/volumes/${index}`;
  for (; index < list.length && !problems.isFull; index++) {
    const volume = list[index];
    if (!isJsonObject(volume)) continue;
    const { name } = volume;
    if (names.has(name)) problems.add(`${path()}/name`, `duplicate volume name ${quoted(name)}`);
    names.add(name);
    known.add(name);
    if (volume === before[index]) continue;
    problems.label(volume, path, 'volume');
    const sources = sourcesOf(volume);
    if (sources.length > 1) {
      problems.add(
        path(),
        `volume ${quoted(name)} has ${sources.slice(0, 3).join(' and ')}, expected one source`,
      );
    }
  }
}

/** Members other than the name, if there are several. */
function sourcesOf(volume: JsonObject): readonly string[] {
  const fields = Object.keys(volume);
  return fields.length > 2 ? fields.filter((key) => key !== 'name' && volume[key] !== null) : [];
}

function checkContainers(
  spec: JsonObject,
  volumes: ReadonlySet<Json | undefined>,
  before: JsonObject,
  problems: ProblemList,
): void {
  const canSkip = itemsOf(before.volumes).every((volume) => volumes.has(membersOf(volume).name));
  const names = new Set<Json | undefined>();
  const isOnHost = spec.hostNetwork === true;
  const hostPorts = new Set<string>();
  for (const list of ['containers', 'initContainers']) {
    const isInit = list === 'initContainers';
    const containers = itemsOf(spec[list]);
    const containersBefore = canSkip ? byName(itemsOf(before[list])) : NONE;
    for (let index = 0; index < containers.length && !problems.isFull; index++) {
      const container = containers[index];
      if (!isJsonObject(container)) continue;
      const { name } = container;
      const path = () => `/spec/${list}/${index}`;
      if (names.has(name)) problems.add(`${path()}/name`, `duplicate container name ${quoted(name)}`);
      names.add(name);
      // Init containers run one by one.
      const ports = isInit ? new Set<string>() : hostPorts;
      const before = membersOf(containersBefore.get(name));
      checkContainer(container, path, { isInit, isOnHost, before, volumes, hostPorts: ports }, problems);
    }
  }
}

const NONE: ReadonlyMap<Json | undefined, Json> = new Map();

function byName(list: readonly Json[]): ReadonlyMap<Json | undefined, Json> {
  const items = new Map<Json | undefined, Json>();
  for (const item of list) items.set(membersOf(item).name, item);
  return items;
}
