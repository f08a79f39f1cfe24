import { execute, type Template } from '../../gotemplate/template.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { sameJson } from '../../json/same-json.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Path } from './go-type.ts';
import { type Outline, outlineOf, reread, rereadAnew } from './outline.ts';
import { typeProblem } from './rendered-types.ts';
import { parseYaml } from './rendered-yaml.ts';
import { specializedTemplate } from './specialized-templates.ts';
import { type TemplateData, templateData } from './template-data.ts';

interface Known {
  readonly data: TemplateData;
  /** What the template read of the Pod, by which another Pod is known to render to the same. */
  readonly reads: readonly Read[];
  readonly document: JsonObject;
}

interface Read {
  readonly path: Path;
  readonly how: 'whole' | 'outline';
}

/** As many as there are workloads being rolled out at a time, and what the Pods of one may differ in. Older ones are forgotten. */
const WORKLOADS = 64;
const VARIANTS = 8;
const memory = new WeakMap<Template, Map<string, readonly Known[]>>();

/**
 * What a template renders to, as data. Rendering is a function of what it reads, and Pods of one workload differ in
 * little of that (not in their names, nor in the token's volume): the last results are kept with what was read for them.
 */
export function renderedDocument(template: Template, data: TemplateData): JsonObject {
  const workloads = memory.get(template) ?? new Map<string, readonly Known[]>();
  memory.set(template, workloads);
  const workload = `${data.namespace}/${data.owner.name}`;
  const known = workloads.get(workload) ?? [];
  const found = known.find((each) => rendersSame(each, data)) ?? rendered(template, data);
  // The last used comes last.
  workloads.delete(workload);
  workloads.set(workload, known.includes(found) ? known : [found, ...known].slice(0, VARIANTS));
  if (workloads.size > WORKLOADS) workloads.delete(workloads.keys().next().value as string);
  return found.document;
}

function rendered(template: Template, data: TemplateData): Known {
  // Annotations count as read: of those that the template asks for, some may have been worked out before.
  const reads: Read[] = [{ path: ['metadata', 'annotations'], how: 'whole' }];
  const note = (path: Path, how: Read['how']) => reads.push({ path, how });
  const special = specializedTemplate(template, data);
  const text = execute(special, templateData({ ...data, reads: note }));
  return { data, reads, document: parsedDocument(template, text) };
}

function rendersSame({ data: before, reads }: Known, data: TemplateData): boolean {
  for (const key of Object.keys(before) as (keyof TemplateData)[]) {
    if (key === 'pod' || before[key] === data[key]) continue;
    if (!sameJson(before[key] as Json, data[key] as Json)) return false;
  }
  return reads.every(({ path, how }) => {
    const [one, other] = [at(before.pod, path), at(data.pod, path)];
    return (
      one === other || (how === 'whole' ? sameJson(one ?? null, other ?? null) : sameOutline(one, other))
    );
  });
}

function at(pod: JsonObject, path: Path): Json | undefined {
  let value: Json | undefined = pod;
  for (const key of path) {
    if (isJsonArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function sameOutline(one: Json | undefined, other: Json | undefined): boolean {
  if (isJsonArray(one) || isJsonArray(other))
    return isJsonArray(one) && isJsonArray(other) && one.length === other.length;
  return isJsonObject(one) === isJsonObject(other);
}

/** What a template rendered to, the last used first. As many as there are ways through a template at a time. */
const outlines = new WeakMap<Template, readonly Outline[]>();
const WAYS = 32;

function parsedDocument(template: Template, text: string): JsonObject {
  const known = outlines.get(template) ?? [];
  for (const read of [reread, rereadAnew]) {
    for (const outline of known) {
      const document = read(outline, text);
      if (document === undefined) continue;
      if (outline !== known[0])
        outlines.set(template, [outline, ...known.filter((each) => each !== outline)]);
      return document;
    }
  }
  const outline = outlineOf(text);
  const document = checkedDocument(template.name, outline?.document ?? fullyParsed(template.name, text));
  if (outline !== undefined) outlines.set(template, [outline, ...known].slice(0, WAYS));
  return document;
}

function checkedDocument(name: string, value: Json): JsonObject {
  const problem = isJsonObject(value) ? typeProblem(value) : 'expected a map';
  if (problem === undefined) return value as JsonObject;
  throw new PodgraftError('OVERLAY_INVALID', `template "${name}" does not render to a Pod: ${problem}`);
}

function fullyParsed(name: string, text: string): Json {
  try {
    return parseYaml(text) ?? {};
  } catch (cause) {
    const reason = (cause as Error).message.split('\n')[0];
    throw new PodgraftError('OVERLAY_INVALID', `template "${name}" renders to what is no YAML: ${reason}`, {
      cause,
    });
  }
}
