import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PodgraftError } from '../podgraft-error.ts';
import type { AnyInjector } from '../sdk/injector.ts';

/**
 * Loads a user's own injector, JavaScript or TypeScript. By jiti, since Node 20 knows no TypeScript, and since a module
 * that lies anywhere, say in a mounted ConfigMap, must find `podgraft` in this very installation.
 */
export async function loadModule(use: string, folder: string): Promise<AnyInjector> {
  const file = resolve(folder, use);
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, {
    alias: {
      'podgraft/testing': door('testing'),
      podgraft: door('sdk'),
    },
  });
  const module = await jiti.import<Record<string, unknown>>(file).catch((cause: unknown) => {
    throw new PodgraftError('INJECTOR_MODULE_INVALID', `Cannot load module "${use}": ${reasonOf(cause)}`, {
      cause,
    });
  });
  const injector = [module.default, ...Object.values(module)].find(isInjector);
  if (injector === undefined) {
    throw unusable(use, 'it exports no injector with name, summary, match and inject');
  }
  const wrong = FUNCTIONS.find((key) => !['undefined', 'function'].includes(typeof injector[key]));
  if (wrong !== undefined) throw unusable(use, `"${wrong}" of injector "${injector.name}" is no function`);
  return injector;
}

/** What an injector may have beside what it must have: without types, the mistake would show much later. */
const FUNCTIONS = ['config', 'reads', 'needs', 'files', 'selections', 'wishes', 'check', 'problems'] as const;

/** In one line; of a mistake in the syntax, jiti says on a second one where it is. */
function reasonOf(cause: unknown): string {
  const [first = '', second = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  const place = first.startsWith('ParseError: ') ? /:\d+:\d+$/.exec(second)?.[0] : undefined;
  return place === undefined ? first : `${first.trim()} at ${second.trim()}`;
}

function unusable(use: string, reason: string): PodgraftError {
  return new PodgraftError('INJECTOR_MODULE_INVALID', `Cannot use module "${use}": ${reason}`);
}

/** From source or from the build, whichever this file is itself. */
function door(folder: 'sdk' | 'testing'): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../${folder}/index.${extension}`, import.meta.url));
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
