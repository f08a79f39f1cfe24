import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PodgraftError } from '../podgraft-error.ts';
import type { AnyInjector } from '../sdk/injector.ts';

/** Whether `use:` is a path to a module, and not the name of a built-in injector. */
export function isModulePath(use: string): boolean {
  return /^\.{0,2}\/|\.[cm]?[jt]s$/.test(use);
}

/**
 * Loads a user's injector, JavaScript or TypeScript. jiti, because Node 20 does not run TypeScript, and because a module in
 * any folder, such as a mounted ConfigMap, must resolve `podgraft` to this installation.
 */
export async function loadModule(use: string, folder: string): Promise<AnyInjector> {
  const jiti = await createLoader();
  const module = await jiti.import<Record<string, unknown>>(resolve(folder, use)).catch((cause: unknown) => {
    throw invalidModule(`Cannot load module "${use}": ${reasonOf(cause)}`, cause);
  });
  const injector = [module.default, ...Object.values(module)].find(isInjector);
  const problem = injector === undefined ? NO_INJECTOR : memberProblem(injector);
  if (injector === undefined || problem !== undefined) {
    throw invalidModule(`Cannot use module "${use}": ${problem}`);
  }
  return injector;
}

/** The files of all modules that have been loaded, with those that they import, besides installed packages. */
export async function loadedModules(): Promise<string[]> {
  const { cache } = await createLoader();
  return Object.keys(cache).filter(isOwnFile);
}

/** Lets the next load read the files again. */
export async function forgetModules(): Promise<void> {
  const { cache } = await createLoader();
  for (const file of Object.keys(cache)) if (isOwnFile(file)) delete cache[file];
}

/** Whether a file is neither of an installed package nor of podgraft. */
function isOwnFile(file: string): boolean {
  return !file.includes('/node_modules/') && !file.startsWith(fileURLToPath(new URL('..', import.meta.url)));
}

async function createLoader() {
  const { createJiti } = await import('jiti');
  return createJiti(import.meta.url, {
    alias: { 'podgraft/testing': entryPoint('testing'), podgraft: entryPoint('sdk') },
  });
}

const NO_INJECTOR = 'no exported injector with name, summary, match and inject';
const METHODS = [
  'prepare',
  'config',
  'reads',
  'needs',
  'files',
  'selections',
  'crds',
  'check',
  'claims',
  'problems',
  'validate',
] as const;

/** Reported here, because in a module without types the mistake would surface much later. */
function memberProblem({ name, paths = [], ...methods }: AnyInjector): string | undefined {
  const wrong = METHODS.find((key) => !['undefined', 'function'].includes(typeof methods[key]));
  if (wrong !== undefined) return `"${wrong}" of injector "${name}" is not a function`;
  const isList =
    Array.isArray(paths) && paths.every((path) => typeof path === 'string' && path.startsWith('/'));
  return isList ? undefined : `"paths" of injector "${name}" is not a list of URL paths`;
}

function isInjector(value: unknown): value is AnyInjector {
  if (typeof value !== 'object' || value === null) return false;
  const { name, summary, match, inject } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof summary === 'string' &&
    typeof match === 'object' &&
    match !== null &&
    typeof inject === 'function'
  );
}

/** One line. For a syntax error, jiti puts the location on a second line. */
function reasonOf(cause: unknown): string {
  const [first = '', second = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  const hasLocation = first.startsWith('ParseError: ') && /:\d+:\d+$/.test(second);
  return hasLocation ? `${first.trim()} at ${second.trim()}` : first;
}

function invalidModule(message: string, cause?: unknown): PodgraftError {
  return new PodgraftError('INJECTOR_MODULE_INVALID', message, { cause });
}

/** In the source or in the build, wherever this file is. */
function entryPoint(folder: 'sdk' | 'testing'): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../${folder}/index.${extension}`, import.meta.url));
}
