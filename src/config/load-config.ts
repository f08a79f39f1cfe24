import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { suggestion } from '../closest.ts';
import { builtinNames, loadBuiltin } from '../injectors/catalog.ts';
import { pointer } from '../json/pointer.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { groupOf } from '../kube/resource.ts';
import type { CustomWorkload } from '../kube/workload.ts';
import { createPipeline, type Entry, type Pipeline } from '../pipeline/pipeline.ts';
import { resolveMatch } from '../pipeline/resolve-match.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { ConfigError, type ConfigIssue, parseConfig } from '../sdk/config.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import { parseConfigDocument } from './config-document.ts';
import { fingerprint } from './fingerprint.ts';
import { isModulePath, loadModule } from './load-module.ts';
import { configSchema, type RawConfig, type RawEntry } from './schema.ts';

export interface Config {
  readonly pipeline: Pipeline;
  /** What the final check does if the pipeline would still change the object. */
  readonly validate: 'deny' | 'warn';
  /** By the injector's name. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** Settings that have no effect, with file, line and key. */
  readonly warnings: readonly string[];
}

/** Reads and validates a configuration file. Among `objects` are definitions of custom resources, to check overlays against. */
export async function loadConfig(file: string, objects: readonly KubeObject[] = []): Promise<Config> {
  return parseConfigText(await readText(file), file, objects);
}

/** `file` appears in errors, and module paths are relative to it. */
export async function parseConfigText(
  text: string,
  file: string,
  objects: readonly KubeObject[] = [],
): Promise<Config> {
  const document = parseConfigDocument(text, file);
  const issues: ConfigIssue[] = [];
  const warnings: string[] = [];
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  try {
    const { injectors, exclude, oversized, validate, workloads } = parseConfig(
      configSchema,
      document.content,
    );
    const entries: Entry[] = [];
    const names = new Set<string>();
    const fingerprints = new Map<string, string>();
    for (const [index, raw] of injectors.entries()) {
      const report = ({ severity, path, message }: ConfigIssue) => {
        const issue = { path: ['injectors', index, ...path], message };
        if (severity === 'warning') warnings.push(document.describe(issue));
        else issues.push(issue);
      };
      if (names.has(raw.name)) report({ path: ['name'], message: `duplicate injector name "${raw.name}"` });
      names.add(raw.name);
      const entry = await readEntry(raw, dirname(file), definitions, report).catch((cause: unknown) => {
        issuesOf(cause, raw.use).forEach(report);
      });
      if (entry === undefined) continue;
      entries.push(entry);
      fingerprints.set(raw.name, await fingerprint(raw, exclude.namespaces, dirname(file)));
    }
    if (issues.length === 0) {
      const pipeline = {
        ...createPipeline(entries, exclude.namespaces, oversized),
        workloads: workloads.map(toWorkload),
      };
      return { pipeline, validate, fingerprints, warnings };
    }
  } catch (cause) {
    if (cause instanceof ConfigError) issues.push(...cause.issues);
    else if (cause instanceof PodgraftError && cause.code === 'INJECTORS_CONFLICT')
      issues.push({ path: ['injectors'], message: cause.message });
    else throw cause;
  }
  throw new PodgraftError('CONFIG_INVALID', issues.map(document.describe).join('\n'));
}

function toWorkload({ apiVersion, kind, podTemplate }: RawConfig['workloads'][number]): CustomWorkload {
  return { group: groupOf(apiVersion), kind, podTemplate: pointer(podTemplate.split('.')) };
}

type Report = (issue: ConfigIssue) => void;

async function readEntry(
  raw: RawEntry,
  folder: string,
  definitions: readonly KubeObject[],
  report: Report,
): Promise<Entry> {
  const injector = isModulePath(raw.use) ? await loadModule(raw.use, folder) : await builtinInjector(raw.use);
  await injector.prepare?.(raw.with);
  const config = readSettings(injector, raw.with);
  const { name, onError } = raw;
  const match = await readMatch(raw.match, injector, definitions, report);
  const entry = { name, injector, config, onError, ...(match && { match }) };
  // Resolved one by one, so that an error names the entry.
  const { stages } = createPipeline([entry]);
  const issues = stages.flatMap(({ match }) => injector.check?.(config, match.kinds, definitions) ?? []);
  for (const issue of issues) report(belowWith(issue));
  return entry;
}

/** Compiles the conditions. The CEL engine is loaded only if there are any. */
async function readMatch(
  raw: RawEntry['match'],
  injector: AnyInjector,
  definitions: readonly KubeObject[],
  report: Report,
): Promise<Match | undefined> {
  const { conditions: expressions, ...match } = raw ?? {};
  if (expressions === undefined) return raw as Match | undefined;
  const { compileConditions } = await import('./compile-conditions.ts');
  const { kinds } = resolveMatch(injector.match, match as Match);
  return { ...(match as Match), conditions: compileConditions(expressions, kinds, definitions, report) };
}

async function builtinInjector(use: string): Promise<AnyInjector> {
  const injector = await loadBuiltin(use);
  if (injector !== undefined) return injector;
  const hint = suggestion(use, builtinNames, ' or a path to a module');
  throw new ConfigError([{ path: ['use'], message: `unknown injector "${use}", ${hint}` }]);
}

function readSettings(injector: AnyInjector, raw: unknown): unknown {
  if (injector.config === undefined) {
    if (raw === undefined) return undefined;
    throw new ConfigError([{ path: ['with'], message: `"${injector.name}" takes no configuration` }]);
  }
  try {
    return injector.config(raw) as unknown;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const issues = cause instanceof ConfigError ? cause.issues : [{ path: [], message }];
    throw new ConfigError(issues.map(belowWith));
  }
}

function belowWith({ path, ...issue }: ConfigIssue): ConfigIssue {
  return { ...issue, path: ['with', ...path] };
}

/** A module may throw anything, in `reads`, `files` or `check` for example. */
function issuesOf(cause: unknown, use: string): readonly ConfigIssue[] {
  if (cause instanceof ConfigError) return cause.issues;
  const message = cause instanceof PodgraftError ? cause.message : `Cannot use "${use}": ${String(cause)}`;
  return [{ path: ['use'], message }];
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such file' : message;
    throw new PodgraftError('CONFIG_UNREADABLE', `Cannot read configuration "${file}": ${reason}`, { cause });
  }
}
