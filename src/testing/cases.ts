import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { parse, stringify } from 'yaml';
import { parseManifests } from '../files/read-manifests.ts';
import { asStored } from '../kube/as-stored.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { parseConfig } from '../sdk/config.ts';
import type { Match } from '../sdk/match.ts';

/** One `cases/NAME.yaml`: objects as a user would write them, and how to run the injector on them. */
export interface Case {
  readonly name: string;
  readonly settings: CaseSettings;
  readonly objects: readonly KubeObject[];
  /** The path of the golden file beside it. */
  readonly golden: string;
}

const settingsSchema = v.strictObject({
  apiVersion: v.literal('podgraft.dev/v1alpha1'),
  kind: v.literal('Case'),
  with: v.optional(v.unknown()),
  match: v.optional(v.custom<Match>(() => true)),
  operation: v.optional(v.picklist(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']), 'CREATE'),
  namespace: v.optional(v.string(), 'default'),
  user: v.optional(v.string(), 'test'),
  /** The content of the files that `with:` names. */
  files: v.optional(v.record(v.string(), v.string()), {}),
  removes: v.optional(v.boolean(), false),
});

export type CaseSettings = v.InferOutput<typeof settingsSchema>;

/** Reads the cases of a folder, given by path or URL. */
export function readCases(folder: string | URL): Case[] {
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.yaml') && !file.endsWith('.out.yaml'));
  return files.toSorted().map((file) => readCase(join(path, file), file.slice(0, -'.yaml'.length)));
}

function readCase(file: string, name: string): Case {
  const documents = parseManifests(readFileSync(file, 'utf8'), file);
  const isSettings = (object: KubeObject) =>
    object.apiVersion === 'podgraft.dev/v1alpha1' && object.kind === 'Case';
  const { metadata: _, ...settings } = documents.find(isSettings) ?? {
    apiVersion: 'podgraft.dev/v1alpha1',
    kind: 'Case',
    metadata: {},
  };
  return {
    name,
    settings: parseConfig(settingsSchema, settings),
    objects: documents.filter((object) => !isSettings(object)).map(asStored),
    golden: file.replace(/\.yaml$/, '.out.yaml'),
  };
}

const STYLE = { lineWidth: 110, aliasDuplicateObjects: false };

/** Compares with the golden file, or writes it. */
export function checkGolden(
  path: string,
  actual: unknown,
  { update = process.env.UPDATE_GOLDENS === '1' }: { readonly update?: boolean } = {},
): void {
  const text = stringify(actual, STYLE);
  if (update) {
    writeFileSync(path, text);
    return;
  }
  if (!existsSync(path))
    throw new Error(
      `No golden file "${path}": run again with UPDATE_GOLDENS=1 (podgraft test: --update) and review the result`,
    );
  const expected = stringify(parse(readFileSync(path, 'utf8')), STYLE);
  if (expected !== text) throw new Error(`"${path}" differs:\n${firstDifference(expected, text)}`);
}

function firstDifference(expected: string, actual: string): string {
  const [wanted, found] = [expected.split('\n'), actual.split('\n')];
  const at = wanted.findIndex((line, index) => line !== found[index]);
  const from = Math.max(0, at < 0 ? wanted.length - 1 : at - 2);
  const excerpt = (lines: readonly string[]) => lines.slice(from, from + 8).join('\n');
  return `expected from line ${from + 1}:\n${excerpt(wanted)}\nfound:\n${excerpt(found)}`;
}
