import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A fenced block of code. */
export interface Block {
  readonly line: number;
  readonly language: string;
  /** The words after the language. */
  readonly words: readonly string[];
  readonly text: string;
  /** Whether a comment says why it is not run. */
  readonly excused: boolean;
}

export const guidesFolder = fileURLToPath(new URL('../docs/guides/', import.meta.url));

export function blocksOf(guide: string): readonly Block[] {
  const page = readFileSync(join(guidesFolder, guide), 'utf8');
  return [...page.matchAll(/^( *)```(\w+)(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', words = '', body = ''], index, all) => {
      const at = all[index]?.index ?? 0;
      const before = page.slice(0, at).trimEnd();
      return {
        line: page.slice(0, at).split('\n').length,
        language,
        words: words.trim().split(/\s+/),
        text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        excused: /<!-- not run[^>]*-->$/.test(before),
      };
    },
  );
}

export interface GuideOptions {
  /** Which blocks to run: `test=local`, `test=cluster`. */
  readonly run: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Paths of programs other than podgraft, by name. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Replacements for addresses and ports in the guide. */
  readonly replace?: Readonly<Record<string, string>>;
}

/** Runs the commands of a guide in one folder. Throws at the first that fails or prints anything but the guide's output. */
export async function followGuide(guide: string, options: GuideOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-guide-'));
  const env = { ...process.env, ...options.env, PATH: `${programsIn(folder, options)}:${process.env.PATH}` };
  const running: ChildProcess[] = [];
  try {
    for (const [index, block] of blocksOf(guide).entries()) {
      const script = replaced(block.text, options);
      const file = block.words.find((word) => word.startsWith('file='))?.slice('file='.length);
      if (file !== undefined) writeFileSync(join(folder, file), script);
      if (!options.run.some((word) => block.words.includes(word))) continue;
      // In its own process group, so that its children can be ended with it.
      const start = () =>
        spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, detached: true });
      const next = blocksOf(guide)[index + 1];
      const expected = next?.words.includes('output') ? replaced(next.text, options) : undefined;
      if (block.words.includes('background')) running.push(start());
      else await finish(start, `${guide}:${block.line}`, expected, block.words.includes('retry') ? 40 : 1);
    }
  } finally {
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
    await Promise.all(running.map((child) => child.exitCode ?? once(child, 'exit')));
    rmSync(folder, { recursive: true });
  }
}

function replaced(text: string, { replace = {} }: GuideOptions): string {
  return Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), text);
}

/** Repeats a command until it prints the expected output. */
async function finish(
  start: () => ChildProcess,
  place: string,
  expected: string | undefined,
  attempts: number,
): Promise<void> {
  const child = start();
  const ended = once(child, 'close');
  const [stdout = '', stderr = ''] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  );
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${place}: exited with ${code}:\n${stdout}\n${stderr}`);
  if (expected === undefined || stdout.trim() === expected.trim()) return;
  if (attempts === 1) throw new Error(`${place}: expected\n${expected}\nfound\n${stdout}`);
  await sleep(250);
  await finish(start, place, expected, attempts - 1);
}

function programsIn(folder: string, { programs = {} }: GuideOptions): string {
  const bin = mkdtempSync(join(folder, '.bin-'));
  const dist = process.env.PODGRAFT_DIST ?? fileURLToPath(new URL('../dist', import.meta.url));
  const podgraft = join(bin, 'podgraft');
  writeFileSync(podgraft, `#!/bin/sh\nexec "${process.execPath}" "${dist}/cli/main.js" "$@"\n`);
  chmodSync(podgraft, 0o755);
  for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(bin, name));
  return bin;
}
