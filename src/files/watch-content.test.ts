import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contentDigest } from './content-digest.ts';
import { watchedManifests } from './read-manifests.ts';
import { type ContentWatch, fileStamps, watchContent } from './watch-content.ts';

// Like a network file system, which reports no changes.
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  watch: () => {
    throw new Error('not supported');
  },
}));

let folder = '';
let file = '';
let watched: ContentWatch | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podgraft-watch-'));
  file = join(folder, 'a.yaml');
  await writeFile(file, 'one');
});

afterEach(async () => {
  watched?.stop();
  await rm(folder, { recursive: true });
});

function follow(onChange: () => Promise<void>, files = vi.fn(() => [file])) {
  const since = contentDigest([file]);
  watched = watchContent({ files, since, onChange, pollEvery: 10, settle: 5 });
  return files;
}

it('finds a change without a file system event', async () => {
  const onChange = vi.fn(async () => {});
  follow(onChange);
  await sleep(50);
  expect(onChange).not.toHaveBeenCalled();
  await writeFile(file, 'two');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
});

it('reads nothing at a poll while nothing has changed', async () => {
  const files = follow(async () => {});
  await sleep(50);
  const calls = files.mock.calls.length;
  await sleep(200);
  expect(files).toHaveBeenCalledTimes(calls);
});

it('finds a change that happens while another one is taking effect', async () => {
  const texts: string[] = [];
  follow(async () => {
    texts.push('change');
    if (texts.length === 1) await writeFile(file, 'three');
    await sleep(30);
  });
  await writeFile(file, 'two');
  await vi.waitFor(() => expect(texts).toHaveLength(2));
});

it('finds the first file of an empty folder, and of a folder inside it', async () => {
  const empty = join(folder, 'empty');
  await mkdir(join(empty, 'inner'), { recursive: true });
  const onChange = vi.fn(async () => {});
  const files = () => watchedManifests(empty);
  watched = watchContent({ files, since: contentDigest(files()), onChange, pollEvery: 10, settle: 5 });
  await sleep(30);
  await writeFile(join(empty, 'inner', 'a.yaml'), 'one');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  await writeFile(join(empty, 'b.yaml'), 'one');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
});

it('stamps change with files, new files beside them and links', async () => {
  const link = join(folder, 'link.yaml');
  await symlink('a.yaml', link);
  const seen = new Set([fileStamps([link])]);
  await writeFile(file, 'two');
  seen.add(fileStamps([link]));
  await writeFile(join(folder, 'b.yaml'), 'new');
  seen.add(fileStamps([link]));
  await mkdir(join(folder, 'next'));
  await writeFile(join(folder, 'next', 'a.yaml'), 'two');
  seen.add(fileStamps([link]));
  await rm(link);
  await symlink('next/a.yaml', link);
  seen.add(fileStamps([link]));
  await rm(link);
  seen.add(fileStamps([link]));
  expect(seen.size).toBe(6);
});
