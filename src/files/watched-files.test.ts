import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileSource } from '../sdk/file-view.ts';
import { type WatchedFiles, watchFiles } from './watched-files.ts';

describe('watched files', () => {
  let folder: string;
  let files: WatchedFiles | undefined;
  const invalid: string[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'podgraft-watched-'));
    invalid.length = 0;
  });
  afterEach(() => {
    files?.stop();
    rmSync(folder, { recursive: true });
  });

  const numberIn = (path: string): FileSource<{ n: number }> => ({
    path,
    parse: (text) => JSON.parse(text) as { n: number },
  });
  const start = (source: FileSource, pollEvery = 60_000) => {
    const onInvalid = (path: string) => invalid.push(path);
    files = watchFiles([source], { onInvalid, pollEvery, settle: 5 });
    return files;
  };

  it('have been read when watchFiles returns', () => {
    const source = numberIn(join(folder, 'config.json'));
    writeFileSync(source.path, '{"n": 1}');
    expect(start(source).get(source)).toEqual({ n: 1 });
  });

  it('follow a file that is written, replaced and removed', async () => {
    const source = numberIn(join(folder, 'config.json'));
    const view = start(source);
    expect(view.get(source)).toBeUndefined();

    writeFileSync(source.path, '{"n": 1}');
    await vi.waitFor(() => expect(view.get(source)).toEqual({ n: 1 }));

    writeFileSync(join(folder, 'config.json.new'), '{"n": 2}');
    renameSync(join(folder, 'config.json.new'), source.path);
    await vi.waitFor(() => expect(view.get(source)).toEqual({ n: 2 }));

    rmSync(source.path);
    await vi.waitFor(() => expect(view.get(source)).toBeUndefined());
    expect(invalid).toEqual([]);
  });

  it('follow the links of a mounted ConfigMap', async () => {
    const source = numberIn(join(folder, 'config.json'));
    const publish = (revision: string, text: string) => {
      mkdirSync(join(folder, revision));
      writeFileSync(join(folder, revision, 'config.json'), text);
      symlinkSync(revision, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    publish('..1', '{"n": 1}');
    symlinkSync('..data/config.json', source.path);
    const view = start(source);
    expect(view.get(source)).toEqual({ n: 1 });

    publish('..2', '{"n": 2}');
    await vi.waitFor(() => expect(view.get(source)).toEqual({ n: 2 }));
  });

  it('keep their last valid value when a file becomes invalid, and report it once', async () => {
    const source = numberIn(join(folder, 'config.json'));
    writeFileSync(source.path, '{"n": 1}');
    const view = start(source, 10);

    writeFileSync(source.path, '{"n": ');
    await vi.waitFor(() => expect(invalid).toEqual([source.path]));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(invalid).toEqual([source.path]);
    expect(view.get(source)).toEqual({ n: 1 });

    writeFileSync(source.path, '{"n": 3}');
    await vi.waitFor(() => expect(view.get(source)).toEqual({ n: 3 }));
  });

  it('find a file in a folder that is created later', async () => {
    const source = numberIn(join(folder, 'later', 'config.json'));
    const view = start(source, 10);
    mkdirSync(join(folder, 'later'));
    writeFileSync(source.path, '{"n": 1}');
    await vi.waitFor(() => expect(view.get(source)).toEqual({ n: 1 }));
  });

  it('report a path that is not a file once', async () => {
    const source = numberIn(folder);
    expect(start(source, 10).get(source)).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(invalid).toEqual([folder]);
  });
});
