import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { PodgraftError } from '../podgraft-error.ts';

const CHUNK = 1024 * 1024;
const POLL_MS = 250;

/** The bytes of a file or of standard input, unpacked if they are gzip. The end of a truncated archive is not an error. */
export async function* openLog(path: string, signal?: AbortSignal): AsyncGenerator<Buffer, void, void> {
  const input: Readable = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK });
  signal?.addEventListener('abort', () => input.destroy(), { once: true });
  try {
    yield* unpacked(input);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    if (code?.startsWith('Z_')) throw new PodgraftError('INPUT_INVALID', `${path}: invalid gzip: ${message}`);
    throw unreadable(path, error);
  }
}

async function* unpacked(input: Readable): AsyncGenerator<Buffer, void, void> {
  let first: Buffer | undefined;
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    first = chunk as Buffer;
    break;
  }
  if (first === undefined) return;
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield first;
    yield* input as AsyncIterable<Buffer>;
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK });
  gunzip.write(first);
  input.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  yield* gunzip as AsyncIterable<Buffer>;
}

/** The bytes of a file and whatever is appended to it, also after it was rotated. */
export async function* followFile(path: string, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
  let file = await openFile(path);
  let position = 0;
  try {
    while (!signal.aborted) {
      const buffer = Buffer.allocUnsafe(CHUNK);
      const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
      if (bytesRead > 0) {
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
        continue;
      }
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      const next = await rotated(path, file, position);
      if (next === undefined) continue;
      await file.close();
      file = next;
      position = 0;
    }
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    if (!(await file.stat()).isDirectory()) return file;
    await file.close();
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw new PodgraftError('INPUT_INVALID', `${path}: is a folder`);
}

function unreadable(path: string, cause: unknown): PodgraftError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why = { ENOENT: 'no such file', EISDIR: 'is a folder', EACCES: 'permission denied' }[code ?? ''];
  return new PodgraftError('INPUT_INVALID', `${path}: ${why ?? message}`, { cause });
}

/** The file that has taken the place of an open one, or the same one if it was truncated; undefined while there is none. */
async function rotated(path: string, file: FileHandle, position: number): Promise<FileHandle | undefined> {
  const next = await open(path).catch(() => undefined);
  if (next === undefined) return undefined;
  const [old, now] = [await file.stat(), await next.stat()];
  if (old.ino !== now.ino || now.size < position) return next;
  await next.close();
  return undefined;
}
