import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { loadConfig } from '../config/load-config.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { type Case, readCases } from '../testing/cases.ts';
import { checkConfigCase } from '../testing/check-config-case.ts';

export interface TestOptions {
  /** By default the nearest: that of the folder, of its parent, or of the current folder. */
  readonly config?: string;
  /** Writes the golden files instead of comparing with them. */
  readonly update?: boolean;
}

/** Runs the cases of folders. Each case is a file of objects, with the expected result beside it. */
export async function test(folders: readonly string[], options: TestOptions): Promise<void> {
  let [passed, failed] = [0, 0];
  for (const folder of folders) {
    const { pipeline } = await loadConfig(configOf(folder, options));
    for (const testCase of casesIn(folder)) {
      const problem = problemOf(() =>
        checkConfigCase(pipeline, testCase, { update: options.update === true }),
      );
      if (problem === undefined) passed++;
      else failed++;
      process.stdout.write(lineFor(join(folder, testCase.name), problem));
    }
  }
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  if (failed > 0) process.exitCode = 1;
}

function configOf(folder: string, { config }: TestOptions): string {
  const places = [folder, join(folder, '..')].map((place) => join(place, 'podgraft.yaml'));
  return config ?? places.find((place) => existsSync(place)) ?? 'podgraft.yaml';
}

function casesIn(folder: string): readonly Case[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new PodgraftError('INPUT_INVALID', `${folder}: not a folder`);
  const cases = readCases(folder).filter(({ name }) => name !== 'podgraft');
  if (cases.length === 0)
    throw new PodgraftError('INPUT_INVALID', `${folder}: no case (*.yaml) in this folder`);
  return cases;
}

function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function lineFor(name: string, problem: string | undefined): string {
  const paint = (format: 'green' | 'red', text: string) =>
    process.stdout.isTTY ? styleText(format, text) : text;
  if (problem === undefined) return `${paint('green', 'ok')}    ${name}\n`;
  return `${paint('red', 'FAIL')}  ${name}\n${problem.replaceAll(/^/gm, '      ')}\n`;
}
