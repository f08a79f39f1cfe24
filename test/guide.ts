import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A fenced block: its language, the words behind it, and whether a comment says why it is not run. */
export interface Block {
  readonly line: number;
  readonly language: string;
  readonly words: readonly string[];
  readonly text: string;
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
  /** Programs by the name under which guides call them, beside podgraft. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Addresses and ports of the guide, and what they are here. */
  readonly replace?: Readonly<Record<string, string>>;
}

/** Does what a guide says, from top to bottom in one folder. Throws at the first block that does not do what it should. */
export async function followGuide(guide: string, options: GuideOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-guide-'));
  const env = { ...process.env, ...options.env, PATH: `${programsIn(folder, options)}:${process.env.PATH}` };
  const running: ChildProcess[] = [];
  try {
    for (const [index, block] of blocksOf(guide).entries()) {
      const script = here(block.text, options);
      const file = block.words.find((word) => word.startsWith('file='))?.slice('file='.length);
      if (file !== undefined) writeFileSync(join(folder, file), script);
      if (!options.run.some((word) => block.words.includes(word))) continue;
      // A group of its own, so that what it starts can be ended with it.
      const start = () =>
        spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, detached: true });
      const next = blocksOf(guide)[index + 1];
      const promised = next?.words.includes('output') ? here(next.text, options) : undefined;
      if (block.words.includes('background')) running.push(start());
      else await finish(start, `${guide}:${block.line}`, promised, block.words.includes('retry') ? 40 : 1);
    }
  } finally {
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
    await Promise.all(running.map((child) => child.exitCode ?? once(child, 'exit')));
    rmSync(folder, { recursive: true });
  }
}

function here(text: string, { replace = {} }: GuideOptions): string {
  return Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), text);
}

/** Several attempts for what takes a moment, as the guide says. */
async function finish(
  start: () => ChildProcess,
  place: string,
  promised: string | undefined,
  attempts: number,
): Promise<void> {
  const child = start();
  const ended = once(child, 'close');
  const [stdout = '', stderr = ''] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  );
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${place}: ended with ${code}:\n${stdout}\n${stderr}`);
  if (promised === undefined || stdout.trim() === promised.trim()) return;
  if (attempts === 1) throw new Error(`${place}: expected\n${promised}\nnot\n${stdout}`);
  await sleep(250);
  await finish(start, place, promised, attempts - 1);
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
