import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { parse } from 'yaml';
import { KUBERNETES_SCHEMA } from '../kubernetes-yaml.ts';
import { isModulePath } from './load-module.ts';

/**
 * The files that a configuration consists of: itself, the modules that it names, and what these import by relative paths. Also
 * lists files of an invalid configuration, so that a fix is noticed. Files that do not exist are included.
 */
export function configFiles(file: string): readonly string[] {
  const found = new Set([resolve(file)]);
  const follow = (path: string) => {
    for (const candidate of extname(path) === '' ? EXTENSIONS.map((each) => path + each) : [path]) {
      if (found.has(candidate)) continue;
      found.add(candidate);
      for (const next of importsOf(candidate)) follow(resolve(dirname(candidate), next));
    }
  };
  for (const use of modulesOf(file)) follow(resolve(dirname(file), use));
  return [...found];
}

/** A module may be named without its extension. */
const EXTENSIONS = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

function modulesOf(file: string): readonly string[] {
  const content = attempt(
    () => parse(textOf(file), { logLevel: 'silent', schema: KUBERNETES_SCHEMA }) as unknown,
  );
  const { injectors } = (content ?? {}) as { injectors?: unknown };
  return (Array.isArray(injectors) ? injectors : []).flatMap((entry: unknown) => {
    const { use } = (entry ?? {}) as { use?: unknown };
    return typeof use === 'string' && isModulePath(use) ? [use] : [];
  });
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g;

function importsOf(module: string): readonly string[] {
  const text = attempt(() => textOf(module)) ?? '';
  return [...text.matchAll(IMPORT)].map(([, path = '']) => path);
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // Loading the configuration reports it.
    return undefined;
  }
}
