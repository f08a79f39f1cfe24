import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { suggestion } from '../closest.ts';
import { builtinNames, loadBuiltin, loadCatalog } from '../injectors/catalog.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { AnyInjector } from '../sdk/injector.ts';

export interface InitOptions {
  readonly injector?: readonly string[];
  readonly file: string;
  readonly force?: boolean;
}

/** Writes a commented configuration for the chosen injectors. */
export async function init({ injector: names, file, force = false }: InitOptions): Promise<void> {
  if (file !== '-' && existsSync(file) && !force)
    throw new PodgraftError('USAGE', `"${file}" exists; use --force to overwrite it`);
  const chosen = await Promise.all((names ?? (await askForNames())).map(injectorNamed));
  const text = configurationFor(chosen);
  if (file === '-') {
    process.stdout.write(text);
    return;
  }
  writeFileSync(file, text);
  process.stdout.write(`Wrote ${file}. Try it with: podgraft explain -f pod.yaml\n`);
}

async function askForNames(): Promise<readonly string[]> {
  if (!process.stdin.isTTY)
    throw new PodgraftError('USAGE', 'no terminal to ask on; name the injectors with --injector');
  const catalog = await loadCatalog();
  process.stdout.write(
    `${catalog.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`).join('\n')}\n`,
  );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Which injectors (separated by spaces)? ');
  terminal.close();
  return answer.split(/[\s,]+/).filter((name) => name !== '');
}

async function injectorNamed(name: string): Promise<AnyInjector> {
  const found = await loadBuiltin(name);
  if (found !== undefined) return found;
  throw new PodgraftError('USAGE', `Unknown injector "${name}", ${suggestion(name, builtinNames)}`);
}

function configurationFor(injectors: readonly AnyInjector[]): string {
  const entries = injectors.map(({ name, summary, starter = '' }) => {
    const settings = starter.trimEnd().replaceAll(/^(?=.)/gm, '    ');
    return `  # ${summary}\n  - name: ${name}\n    use: ${name}\n${settings === '' ? '' : `${settings}\n`}`;
  });
  return `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:${entries.length === 0 ? ' []' : ''}
${entries.join('\n')}
# Pods in these namespaces are never changed.
exclude:
  namespaces: [kube-system, kube-public, kube-node-lease]
`;
}
