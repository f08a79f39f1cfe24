import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Jiti } from 'jiti';
import { PodgraftError } from '../podgraft-error.ts';
import * as sdk from '../sdk/index.ts';
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
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, {
    alias: { 'podgraft/testing': entryPoint('testing') },
    virtualModules: VIRTUAL,
  });
  const module = await evaluate(jiti, resolve(folder, use)).catch((cause: unknown) => {
    throw invalidModule(`Cannot load module "${use}": ${reasonOf(cause)}`, cause);
  });
  const injector = [module.default, ...Object.values(module)].find(isInjector);
  const problem = injector === undefined ? NO_INJECTOR : memberProblem(injector);
  if (injector === undefined || problem !== undefined) {
    throw invalidModule(`Cannot use module "${use}": ${problem}`);
  }
  return injector;
}

/** The server's own instances: `instanceof` must work for what modules throw. The libraries are loaded once a module imports them. */
const VIRTUAL = {
  podgraft: sdk,
  get 'podgraft/gotemplate'() {
    return library('gotemplate');
  },
  get 'podgraft/cel'() {
    return library('cel');
  },
  get 'podgraft/policy'() {
    return library('policy');
  },
};

/** The getters are synchronous, so `require`. */
function library(folder: 'gotemplate' | 'cel' | 'policy'): unknown {
  return createRequire(import.meta.url)(entryPoint(folder));
}

/**
 * By `require`, because Node never forgets what it has imported, and modules are reloaded when they change. Only a module that
 * waits at its top level has to be imported.
 */
async function evaluate(jiti: Jiti, path: string): Promise<Record<string, unknown>> {
  try {
    return jiti(path) as Record<string, unknown>;
  } catch {
    return jiti.import<Record<string, unknown>>(path);
  }
}

/** Modules are read again when they are next loaded. Those of podgraft and of packages stay loaded: injectors share their identities. */
export function forgetModules(): void {
  const own = fileURLToPath(new URL('../', import.meta.url));
  const { cache } = createRequire(import.meta.url);
  for (const path of Object.keys(cache)) {
    if (!path.startsWith(own) && !path.includes('/node_modules/')) delete cache[path];
  }
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
  'asOverlay',
  'kindsFrom',
  'problems',
  'validate',
] as const;

/** Reported here, because in a module without types the mistake would surface much later. */
function memberProblem({ name, paths = [], runs = [], sample, ...methods }: AnyInjector): string | undefined {
  const wrong = METHODS.find((key) => !['undefined', 'function'].includes(typeof methods[key]));
  if (wrong !== undefined) return `"${wrong}" of injector "${name}" is not a function`;
  if (!isTexts(paths) || !paths.every((path) => path.startsWith('/')))
    return `"paths" of injector "${name}" is not a list of URL paths`;
  if (!isTexts(runs)) return `"runs" of injector "${name}" is not a list of kinds`;
  const isSample = sample === undefined || isTexts([sample?.title, sample?.yaml]);
  return isSample ? undefined : `"sample" of injector "${name}" has no title or no yaml`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
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
function entryPoint(folder: 'testing' | 'gotemplate' | 'cel' | 'policy'): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../${folder}/index.${extension}`, import.meta.url));
}
