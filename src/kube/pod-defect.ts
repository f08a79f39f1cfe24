import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { sizeDefect } from './size-defect.ts';

/** More than any real Pod has. Injectors may take time in proportion to these, but not more. */
const MOST_CONTAINERS = 2_000;
const TOO_MANY_CONTAINERS = `it has more than ${MOST_CONTAINERS} containers`;
const MOST_NESTED = 100;
/** The API server's own limit for all keys and values, in bytes. A character has at least one. */
const LONGEST_ANNOTATIONS = 256 * 1024;

/**
 * Why a Pod or Pod template cannot be injected; undefined if it can. Webhooks are called before validation: the
 * API server rejects most of these, and its message is the better one. For all other Pods the types of `Pod` hold, except that
 * any field may be null.
 */
export function podDefect(pod: JsonObject): string | undefined {
  const { metadata: given, spec } = pod;
  const metadata = given ?? {};
  if (!isJsonObject(metadata)) return 'metadata is not a map';
  for (const field of ['annotations', 'labels'] as const) {
    // Values are not checked: in a file they may lack quotes, which injectors tolerate.
    if (!isJsonObject(metadata[field] ?? {})) return `metadata.${field} is not a map`;
  }
  if (areTooLong((metadata.annotations ?? {}) as JsonObject))
    return `metadata.annotations are longer than ${LONGEST_ANNOTATIONS} bytes`;
  if (!isJsonObject(spec)) return 'spec is not a map';
  const size = sizeDefect(pod, MOST_NESTED);
  if (size !== undefined) return size;
  // With a sidecar it would become valid, and the mistake would go unnoticed.
  if (isEmpty(spec.containers)) return 'spec.containers is missing';
  return (
    listDefect(metadata.ownerReferences, 'metadata', 'ownerReferences', OWNING) ??
    settingsDefect(spec, 'spec') ??
    dnsDefect(spec.dnsConfig) ??
    listDefect(spec.volumes, 'spec', 'volumes', NAMED) ??
    duplicateIn(spec.volumes, 'spec.volumes') ??
    containersDefect(spec) ??
    duplicateIn(spec.initContainers, 'spec.initContainers') ??
    duplicateIn(spec.containers, 'spec.containers')
  );
}

function isEmpty(list: Json | undefined): boolean {
  return list === undefined || list === null || (isJsonArray(list) && list.length === 0);
}

function areTooLong(annotations: JsonObject): boolean {
  let length = 0;
  for (const key in annotations) {
    const value = annotations[key];
    length += key.length + (typeof value === 'string' ? value.length : 0);
  }
  return length > LONGEST_ANNOTATIONS;
}

/** Why a Pod is too large to be injected, although the API server may accept it; undefined if it is not. */
export function podSizeDefect(pod: JsonObject): string | undefined {
  return sizeDefect(pod, MOST_NESTED) ?? templateDefect(pod);
}

/** Why a Pod template is too large to be injected; undefined if it is not. Its shape does not matter here. */
export function templateDefect({ spec }: JsonObject): string | undefined {
  if (!isJsonObject(spec)) return undefined;
  let containers = 0;
  for (const list of CONTAINER_LISTS) {
    const found = spec[list];
    if (isJsonArray(found)) containers += found.length;
  }
  return containers > MOST_CONTAINERS ? TOO_MANY_CONTAINERS : undefined;
}

function containersDefect(spec: JsonObject): string | undefined {
  let count = 0;
  for (const list of CONTAINER_LISTS) {
    const path = `spec.${list}`;
    const defect = listDefect(spec[list], 'spec', list, NAMED);
    if (defect !== undefined) return defect;
    const containers = (spec[list] ?? []) as readonly JsonObject[];
    count += containers.length;
    if (count > MOST_CONTAINERS) return TOO_MANY_CONTAINERS;
    for (let index = 0; index < containers.length; index++) {
      const inside = containerDefect(containers[index] as JsonObject, `${path}[${index}]`);
      if (inside !== undefined) return inside;
    }
  }
  return undefined;
}

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

function containerDefect(container: JsonObject, path: string): string | undefined {
  for (const field of STRINGS) {
    if (typeof (container[field] ?? '') !== 'string') return `${path}.${field} is not a string`;
  }
  for (const field of LISTS) {
    if (!isJsonArray(container[field] ?? [])) return `${path}.${field} is not a list`;
  }
  for (const field of MAPS) {
    if (!isJsonObject(container[field] ?? {})) return `${path}.${field} is not a map`;
  }
  const shapeless = settingsDefect(container, path);
  if (shapeless !== undefined) return shapeless;
  return (
    listDefect(container.env, path, 'env', NAMED) ??
    listDefect(container.volumeMounts, path, 'volumeMounts', MOUNTED) ??
    listDefect(container.ports, path, 'ports', []) ??
    listDefect(container.envFrom, path, 'envFrom', [])
  );
}

/** Of a container, or those that all containers of the Pod share. */
function settingsDefect({ securityContext, resources }: JsonObject, path: string): string | undefined {
  if (!isJsonObject(securityContext ?? {})) return `${path}.securityContext is not a map`;
  if (resources === undefined || resources === null) return undefined;
  if (!isJsonObject(resources)) return `${path}.resources is not a map`;
  if (!isJsonObject(resources.requests ?? {})) return `${path}.resources.requests is not a map`;
  return isJsonObject(resources.limits ?? {}) ? undefined : `${path}.resources.limits is not a map`;
}

function dnsDefect(dnsConfig: Json | undefined): string | undefined {
  if (dnsConfig === undefined || dnsConfig === null) return undefined;
  if (!isJsonObject(dnsConfig)) return 'spec.dnsConfig is not a map';
  return listDefect(dnsConfig.options, 'spec.dnsConfig', 'options', []);
}

const STRINGS = ['image', 'imagePullPolicy', 'workingDir', 'restartPolicy'];
const LISTS = ['command', 'args'];
const MAPS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

/** A list of maps, each with these strings. */
function listDefect(
  list: Json | undefined,
  parent: string,
  field: string,
  required: readonly string[],
): string | undefined {
  if (list === undefined || list === null) return undefined;
  if (!isJsonArray(list)) return `${parent}.${field} is not a list`;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    const place = () => `${parent}.${field}[${index}]`;
    if (!isJsonObject(item)) return `${place()} is not a map`;
    for (const name of required) {
      const value = item[name];
      if (typeof value === 'string' && value !== '') continue;
      const isMissing = value === undefined || value === null || value === '';
      return `${place()}.${name} is ${isMissing ? 'missing' : 'not a string'}`;
    }
  }
  return undefined;
}

const OWNING = ['kind', 'name'];
const NAMED = ['name'];
const MOUNTED = ['name', 'mountPath'];

function duplicateIn(list: Json | undefined, path: string): string | undefined {
  const items = (list ?? []) as readonly JsonObject[];
  if (items.length < 2) return undefined;
  const names = new Set<Json | undefined>();
  for (const { name } of items) {
    if (names.has(name)) return `duplicate name ${JSON.stringify(name).slice(0, 100)} in ${path}`;
    names.add(name);
  }
  return undefined;
}
