import {
  cacheByObject,
  cacheByTexts,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  sameJson,
} from '../../../sdk/index.ts';
import type { OnRead, Path } from '../pod-types/go-struct.ts';
import { type PodTemplate, renderText } from './pod-template.ts';
import { readDocument } from './read-document.ts';
import { reuseEqualParts } from './reuse-equal-parts.ts';
import type { TemplateData } from './template-data.ts';

/** A rendered template and its dependencies. */
interface Rendering {
  /** Of its Pod, only the reads count. */
  readonly data: TemplateData;
  readonly reads: readonly Read[];
  readonly document: JsonObject;
  /** About what it takes in memory, with its Pod. */
  readonly bytes: number;
}

interface Read {
  readonly path: Path;
  readonly what: Parameters<OnRead>[1];
  readonly value: Json | undefined;
}

const MAX_WORKLOADS = 64;
const MAX_RENDERINGS = 8;
/**
 * A rendering holds its Pod. With this bound, all of them together take at most 16 MiB per template. Those of an ordinary Pod
 * take about 15 KiB.
 */
const WORKLOAD_BYTES = 256 * 1024;
/** Without room for two, the two calls for a Pod would push out each other's. */
const RENDERING_BYTES = WORKLOAD_BYTES / 2;
/** Enough for a namespace and a name. */
const MAX_KEY_LENGTH = 512;

/** Pods of one workload differ little in what templates read, such as the name of the token's volume. */
const workloadsOf = cacheByObject((_: PodTemplate) =>
  cacheByTexts<Rendering[]>({ entries: MAX_WORKLOADS, keyLength: MAX_KEY_LENGTH }),
);

/** Renders a template for a Pod, unless everything that it reads is the same as for an earlier Pod of the workload. */
export function renderTemplate(template: PodTemplate, data: TemplateData, review: object = {}): JsonObject {
  const renderings = workloadsOf(template)([data.namespace, data.owner.name], () => []);
  const known = renderings.find((each) => isSame(each, data));
  if (known !== undefined) return known.document;
  // The variant for ordinary Pods does not read the annotations that they lack.
  const reads = [readOf(data.pod, ['metadata', 'annotations'], 'value')];
  const text = renderText(template, data, (path, what) => reads.push(readOf(data.pod, path, what)));
  const documents = documentsOf(review);
  const last = documents.get(template);
  const rendered = last?.text === text ? last.document : readDocument(text, template.template.name);
  documents.set(template, { text, document: rendered });
  const [latest] = renderings;
  // The second call for a Pod renders much the same: merging recognizes by identity what the first call has added.
  const document =
    latest === undefined ? rendered : (reuseEqualParts(rendered, latest.document) as JsonObject);
  const bytes = bytesOf(data, reads, text, document);
  if (bytes > RENDERING_BYTES) return document;
  let held = renderings.reduce((sum, rendering) => sum + rendering.bytes, bytes);
  while (renderings.length === MAX_RENDERINGS || held > WORKLOAD_BYTES) held -= renderings.pop()?.bytes ?? 0;
  renderings.unshift({ data, reads, document, bytes });
  return document;
}

/** The last document of each template in one review, whose rounds usually render the same text. */
const documentsOf = cacheByObject(
  (_: object) => new Map<PodTemplate, { readonly text: string; readonly document: JsonObject }>(),
);

function readOf(pod: JsonObject, path: Path, what: Read['what']): Read {
  return { path, what, value: valueAt(pod, path) };
}

/** Not exact beyond the bound. Parts of the document may hold the whole text. */
function bytesOf(
  { pod, proxyConfig }: TemplateData,
  reads: readonly Read[],
  text: string,
  document: JsonObject,
): number {
  let left = RENDERING_BYTES - READ_BYTES * reads.length - text.length;
  for (const value of [pod, proxyConfig, document]) left -= weightOf(value, left);
  return RENDERING_BYTES - left;
}

const READ_BYTES = 128;
/** Of a map, a list or a text, however short. An item of a list and a member of a map take less. */
const PART_BYTES = 64;
const ITEM_BYTES = 16;

/** Stops beyond the bound. */
function weightOf(value: Json, bound: number): number {
  // A character may take two bytes.
  if (typeof value === 'string') return PART_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let weight = PART_BYTES;
  if (isJsonArray(value)) {
    for (const item of value) {
      weight += ITEM_BYTES + weightOf(item, bound - weight);
      if (weight > bound) break;
    }
    return weight;
  }
  for (const key in value) {
    weight += ITEM_BYTES + key.length + weightOf(value[key] as Json, bound - weight);
    if (weight > bound) break;
  }
  return weight;
}

function isSame({ data: before, reads }: Rendering, data: TemplateData): boolean {
  for (const { path, what, value } of reads) {
    const found = valueAt(data.pod, path);
    if (found === value) continue;
    const isEqual = what === 'value' ? sameJson(value ?? null, found ?? null) : hasSameForm(value, found);
    if (!isEqual) return false;
  }
  for (const key of Object.keys(data) as (keyof TemplateData)[]) {
    if (key !== 'pod' && before[key] !== data[key] && !sameJson(before[key] as Json, data[key] as Json))
      return false;
  }
  return true;
}

function valueAt(pod: JsonObject, path: Path): Json | undefined {
  let value: Json | undefined = pod;
  for (const key of path) {
    if (isJsonArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) ? member(value, String(key)) : undefined;
  }
  return value;
}

function hasSameForm(one: Json | undefined, other: Json | undefined): boolean {
  if (isJsonArray(one) && isJsonArray(other)) return one.length === other.length;
  return isJsonArray(one) === isJsonArray(other) && isJsonObject(one) === isJsonObject(other);
}
