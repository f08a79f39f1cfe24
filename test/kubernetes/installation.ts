import { expect } from 'vitest';
import { builtinNames } from '../../src/injectors/catalog.ts';
import { readCases } from '../../src/testing/cases.ts';
import { podgraft } from '../podgraft-process.ts';

/** The output of `podgraft manifests`. */
export async function printed(config: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await podgraft(['manifests', '--config', config, ...flags]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

export function configWith(injectors: readonly object[]) {
  return { apiVersion: 'podgraft.dev/v1alpha1', kind: 'Config', injectors };
}

/** All built-in injectors, each with the given settings or those of its first case. */
export function everyInjector(settings: { readonly [name: string]: object } = {}): object[] {
  return builtinNames.map((name) => {
    const [first] = readCases(new URL(`../../src/injectors/${name}/cases/`, import.meta.url));
    const { match } = first?.settings ?? {};
    const own = settings[name] ?? first?.settings.with;
    return { name, use: name, ...(own !== undefined && { with: own }), ...(match && { match }) };
  });
}
