import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type LabelSelector,
  PodgraftError,
} from '../../../sdk/index.ts';
import { asObject } from '../pod-json.ts';
import { parseYaml } from '../yaml/go-yaml.ts';
import { meshConfigType } from './mesh-types.ts';
import { protoJson } from './proto-json.ts';
import { protoProblems } from './proto-problems.ts';
import { meshConfig } from './proxy-config.ts';

/** Istio's injection configuration, parsed. */
export interface Configuration {
  readonly policy: string;
  readonly neverInjectSelector: readonly LabelSelector[];
  readonly alwaysInjectSelector: readonly LabelSelector[];
  readonly defaultTemplates: readonly string[];
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Their texts. */
  readonly templates: ReadonlyMap<string, string>;
  readonly injectedAnnotations: Readonly<Record<string, string>>;
  readonly values: JsonObject;
  readonly mesh: JsonObject;
  /** Selectors that are invalid. */
  readonly warnings: readonly string[];
}

/** Keys of Istio's ConfigMaps. */
export interface ConfigurationTexts {
  readonly config: string;
  readonly values: string;
  readonly mesh: string;
  /** Mesh settings that are weaker than the revision's own. */
  readonly sharedMesh?: string;
}

/** Parses all texts as one unit: an error in one place makes all of them invalid. */
export function readConfiguration(texts: ConfigurationTexts): Configuration {
  const config = mapFrom(texts.config, 'config');
  const templates = Object.entries(asObject(config.templates)).map(([name, text]) => {
    if (typeof text !== 'string') throw invalid('config', `templates.${name} is not a string`);
    return [name, text] as const;
  });
  const aliases = Object.entries(asObject(config.aliases));
  const annotations = Object.entries(asObject(config.injectedAnnotations));
  const defaults = strings(config.defaultTemplates, 'defaultTemplates');
  const warnings: string[] = [];
  return {
    policy: typeof config.policy === 'string' ? config.policy : '',
    neverInjectSelector: readSelectors(config, 'neverInjectSelector', warnings),
    alwaysInjectSelector: readSelectors(config, 'alwaysInjectSelector', warnings),
    defaultTemplates: defaults.length === 0 ? ['sidecar'] : defaults,
    aliases: new Map(aliases.map(([name, list]) => [name, strings(list, `aliases.${name}`)])),
    templates: new Map(templates),
    injectedAnnotations: Object.fromEntries(annotations.map(([key, value]) => [key, String(value)])),
    values: mapFrom(texts.values, 'values'),
    mesh: meshConfig(meshFrom(texts.mesh), meshConfig(meshFrom(texts.sharedMesh ?? ''))),
    warnings,
  };
}

function meshFrom(text: string): JsonObject {
  const mesh = mapFrom(text, 'mesh');
  const problems = protoProblems(protoJson(mesh, meshConfigType), meshConfigType);
  if (problems.length > 0) throw invalid('mesh', problems.join(', '));
  return mesh;
}

function mapFrom(text: string, key: keyof ConfigurationTexts): JsonObject {
  let value: Json;
  try {
    value = parseYaml(text) ?? {};
  } catch (cause) {
    throw invalid(key, (cause as Error).message.split('\n')[0] ?? '');
  }
  if (!isJsonObject(value)) throw invalid(key, 'not a map');
  return value;
}

function strings(value: Json | undefined, field: string): readonly string[] {
  const list = value ?? [];
  if (isJsonArray(list) && list.every((each) => typeof each === 'string')) return list as readonly string[];
  throw invalid('config', `${field} is not a list of names`);
}

function readSelectors(config: JsonObject, field: string, warnings: string[]): readonly LabelSelector[] {
  const list = isJsonArray(config[field]) ? config[field] : [];
  return list.filter(isJsonObject).filter((selector) => {
    const expressions = isJsonArray(selector.matchExpressions) ? selector.matchExpressions : [];
    const isValid = expressions.every((each) => isRequirement(asObject(each)));
    if (!isValid)
      warnings.push(`${field} ${JSON.stringify(selector)} is not a label selector and is ignored`);
    return isValid;
  }) as unknown as readonly LabelSelector[];
}

function isRequirement({ key, operator, values }: JsonObject): boolean {
  const count = isJsonArray(values) ? values.length : 0;
  if (typeof key !== 'string' || key === '') return false;
  if (operator === 'In' || operator === 'NotIn') return count > 0;
  return (operator === 'Exists' || operator === 'DoesNotExist') && count === 0;
}

function invalid(key: keyof ConfigurationTexts, problem: string): PodgraftError {
  return new PodgraftError('CONFIG_INVALID', `Cannot read Istio's "${key}": ${problem}`);
}
