import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { catalog } from '../injectors/catalog.ts';
import { createPipeline, type Entry, type Pipeline } from '../pipeline/pipeline.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { closest } from '../sdk/closest.ts';
import { ConfigError, type ConfigIssue, parseConfig } from '../sdk/config.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import { lineOf } from './line-of.ts';
import { loadModule } from './load-module.ts';
import { configSchema, type RawEntry } from './schema.ts';

export interface Config {
  readonly pipeline: Pipeline;
  /** What the final-state check does when something would still change. */
  readonly validate: 'deny' | 'warn';
}

/** Reads and checks a configuration file, wholly: what it returns needs no further checking. */
export async function loadConfig(file: string): Promise<Config> {
  return parseConfigText(await readText(file), file);
}

/** `file` is for errors, and what module paths are relative to. */
export async function parseConfigText(text: string, file: string): Promise<Config> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const message =
      error.code === 'MULTIPLE_DOCS' ? 'expected one document' : error.message.split(/ at line |\n/)[0];
    throw new PodgraftError('CONFIG_INVALID', `${file}:${error.linePos?.[0].line ?? 1}: ${message}`);
  }
  const issues: ConfigIssue[] = [];
  try {
    const raw = parseConfig(configSchema, contentOf(document, lines, file));
    const entries: Entry[] = [];
    for (const [index, entry] of raw.injectors.entries()) {
      const read = await readEntry(entry, index, raw.injectors, dirname(file));
      if ('issues' in read) issues.push(...read.issues);
      else entries.push(read.entry);
    }
    if (issues.length === 0) {
      return { pipeline: createPipeline(entries, raw.exclude.namespaces), validate: raw.validate };
    }
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    issues.push(...cause.issues);
  }
  throw located(issues, document, lines, file);
}

function contentOf(document: Document, lines: LineCounter, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    // An alias of nothing, or of far too much: the library does not say where.
    let line = 1;
    visit(document, {
      Alias(_, alias) {
        line = lines.linePos(alias.range?.[0] ?? 0).line;
        return alias.resolve(document) === undefined ? visit.BREAK : undefined;
      },
    });
    throw new PodgraftError('CONFIG_INVALID', `${file}:${line}: ${(cause as Error).message}`, { cause });
  }
}

type ReadEntry = { readonly entry: Entry } | { readonly issues: readonly ConfigIssue[] };

async function readEntry(
  raw: RawEntry,
  index: number,
  all: readonly RawEntry[],
  folder: string,
): Promise<ReadEntry> {
  const at = (key: string) => ['injectors', index, key];
  if (all.findIndex(({ name }) => name === raw.name) < index) {
    return { issues: [{ path: at('name'), message: `"${raw.name}" stands twice` }] };
  }
  try {
    const injector = await injectorFor(raw.use, folder);
    const config = readWith(injector, raw.with);
    const entry = { name: raw.name, injector, config, ...(raw.match && { match: raw.match as Match }) };
    // Checked here, entry by entry, so that the error can say which one.
    const { stages } = createPipeline([entry]);
    const issues = stages.flatMap(({ match }) => injector.check?.(config, match.kinds) ?? []);
    if (issues.length > 0) {
      throw new ConfigError(issues.map(({ path, message }) => ({ path: ['with', ...path], message })));
    }
    return { entry };
  } catch (cause) {
    if (cause instanceof ConfigError) {
      return {
        issues: cause.issues.map(({ path, message }) => ({
          path: [...at('').slice(0, 2), ...path],
          message,
        })),
      };
    }
    if (cause instanceof PodgraftError) return { issues: [{ path: at('use'), message: cause.message }] };
    // What a module's `reads`, `files`, `wishes` or `check` threw.
    return { issues: [{ path: at('use'), message: `Cannot use "${raw.use}": ${String(cause)}` }] };
  }
}

/** Whatever an injector's own reader throws is about what stands under `with:`. */
function readWith(injector: AnyInjector, raw: unknown): unknown {
  if (injector.config === undefined) {
    if (raw === undefined) return undefined;
    throw new ConfigError([{ path: ['with'], message: `"${injector.name}" takes no configuration` }]);
  }
  try {
    return injector.config(raw) as unknown;
  } catch (cause) {
    if (cause instanceof ConfigError) {
      throw new ConfigError(cause.issues.map(({ path, message }) => ({ path: ['with', ...path], message })));
    }
    throw new ConfigError([
      { path: ['with'], message: cause instanceof Error ? cause.message : String(cause) },
    ]);
  }
}

async function injectorFor(use: string, folder: string): Promise<AnyInjector> {
  if (/^\.{0,2}\//.test(use) || /\.[cm]?[jt]s$/.test(use)) return loadModule(use, folder);
  const injector = catalog.find(({ name }) => name === use);
  if (injector !== undefined) return injector;
  const names = catalog.map(({ name }) => name);
  const guess = closest(use, names);
  const hint =
    guess === undefined ? `expected ${names.join(', ')} or a path to a module` : `did you mean "${guess}"?`;
  throw new ConfigError([{ path: ['use'], message: `unknown injector "${use}", ${hint}` }]);
}

function located(
  issues: readonly ConfigIssue[],
  document: Document,
  lines: LineCounter,
  file: string,
): PodgraftError {
  const messages = issues.map(({ path, message }) => {
    const place = path.length === 0 ? '' : `${path.join('.')}: `;
    return `${file}:${lineOf(document, path, lines)}: ${place}${message}`;
  });
  return new PodgraftError('CONFIG_INVALID', messages.join('\n'));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const detail =
      (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (cause as Error).message;
    throw new PodgraftError('CONFIG_UNREADABLE', `Cannot read configuration "${file}": ${detail}`, { cause });
  }
}
