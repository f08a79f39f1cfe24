import { parseTemplate, type Template } from '../../gotemplate/template.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { LabelSelector } from '../../kube/label-selector.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import type { InjectionRules } from './injection-policy.ts';
import { meshConfigType } from './mesh-types.ts';
import { protoJson } from './proto.ts';
import { protoProblems } from './proto-problems.ts';
import { meshConfig, record } from './proxy-config.ts';
import { parseYaml } from './rendered-yaml.ts';
import type { Settings } from './settings.ts';
import { templateFunctions } from './template-functions.ts';

/** Istio's injection configuration, read and compiled: what the two ConfigMaps say together. */
export interface Configuration {
  readonly rules: InjectionRules;
  readonly defaultTemplates: readonly string[];
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly templates: ReadonlyMap<string, Template>;
  readonly injectedAnnotations: Readonly<Record<string, string>>;
  readonly values: JsonObject;
  readonly mesh: JsonObject;
  /** Selectors that cannot be used. */
  readonly warnings: readonly string[];
}

/** The texts that Istio's control plane reads: two keys of one ConfigMap, and one of another or two. */
export interface ConfigurationTexts {
  readonly config: string;
  readonly values: string;
  readonly mesh: string;
  /** Of a mesh that is weaker than the revision's own. */
  readonly sharedMesh?: string;
}

/** Reads all of them as one unit: what is wrong in one place spoils all of it. */
export function readConfiguration(texts: ConfigurationTexts, settings: Settings): Configuration {
  const config = mapFrom(texts.config, 'config');
  const values = mapFrom(texts.values, 'values');
  const mesh = meshConfig(meshFrom(texts.mesh), meshConfig(meshFrom(texts.sharedMesh ?? '')));
  const functions = templateFunctions(settings.env);
  const templates = new Map<string, Template>();
  for (const [name, text] of Object.entries(record(config.templates))) {
    if (typeof text !== 'string') throw invalid('config', `templates.${name} is no text`);
    templates.set(name, parseTemplate(name, text, { functions }));
  }
  const warnings: string[] = [];
  const selectors = (field: string) => readSelectors(config[field], field, warnings);
  const defaults = strings(config.defaultTemplates, 'defaultTemplates');
  return {
    rules: {
      policy: typeof config.policy === 'string' ? config.policy : '',
      neverInjectSelector: selectors('neverInjectSelector'),
      alwaysInjectSelector: selectors('alwaysInjectSelector'),
    },
    defaultTemplates: defaults.length === 0 ? ['sidecar'] : defaults,
    aliases: new Map(
      Object.entries(record(config.aliases)).map(([name, list]) => [name, strings(list, `aliases.${name}`)]),
    ),
    templates,
    injectedAnnotations: Object.fromEntries(
      Object.entries(record(config.injectedAnnotations)).map(([key, value]) => [key, String(value)]),
    ),
    values,
    mesh,
    warnings,
  };
}

/** Names of templates as they are applied: an alias stands for others, one level deep. */
export function templatesFor(
  names: readonly string[],
  { aliases, templates }: Configuration,
): readonly Template[] | { readonly unknown: string } {
  const wanted = names.flatMap((name) => aliases.get(name) ?? [name]);
  const found: Template[] = [];
  for (const name of wanted) {
    const template = templates.get(name);
    if (template === undefined) return { unknown: name };
    found.push(template);
  }
  return found;
}

function meshFrom(text: string): JsonObject {
  const mesh = mapFrom(text, 'mesh');
  const problems = protoProblems(protoJson(mesh, meshConfigType), meshConfigType);
  if (problems.length > 0) throw invalid('mesh', problems.join(', '));
  return mesh;
}

function mapFrom(text: string, what: string): JsonObject {
  let value: Json | undefined;
  try {
    value = parseYaml(text);
  } catch (cause) {
    throw invalid(what, (cause as Error).message.split('\n')[0] ?? '');
  }
  if (value === null || value === undefined) return {};
  if (!isJsonObject(value)) throw invalid(what, 'not a map');
  return value;
}

function strings(value: Json | undefined, field: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (isJsonArray(value) && value.every((each) => typeof each === 'string'))
    return value as readonly string[];
  throw invalid('config', `${field} is no list of names`);
}

function readSelectors(value: Json | undefined, field: string, warnings: string[]): LabelSelector[] {
  const list = isJsonArray(value) ? value : [];
  return list.filter(isJsonObject).filter((selector) => {
    const expressions = isJsonArray(selector.matchExpressions) ? selector.matchExpressions : [];
    const valid = expressions.every((each) => isRequirement(record(each)));
    if (!valid) warnings.push(`${field} ${JSON.stringify(selector)} is no label selector, and is ignored`);
    return valid;
  }) as unknown as LabelSelector[];
}

function isRequirement({ key, operator, values }: JsonObject): boolean {
  const count = isJsonArray(values) ? values.length : 0;
  if (typeof key !== 'string' || key === '') return false;
  if (operator === 'In' || operator === 'NotIn') return count > 0;
  return (operator === 'Exists' || operator === 'DoesNotExist') && count === 0;
}

function invalid(what: string, problem: string): PodgraftError {
  return new PodgraftError('CONFIG_INVALID', `Cannot read Istio's "${what}": ${problem}`);
}
