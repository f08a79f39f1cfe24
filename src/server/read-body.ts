import type { IncomingMessage } from 'node:http';

export type Body = { readonly bytes: Buffer } | 'too large' | 'gone';

/** Collects a body up to a limit; calls `done` exactly once. What is announced as too large is not read at all. */
export function readBody(request: IncomingMessage, limit: number, done: (body: Body) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    done('too large');
    return;
  }
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      request.pause();
      if (size - chunk.length <= limit) done('too large');
    } else if (first === undefined) {
      first = chunk;
    } else {
      rest ??= [];
      rest.push(chunk);
    }
  });
  request.on('end', () => {
    if (size > limit) return;
    const start = first ?? Buffer.alloc(0);
    done({ bytes: rest === undefined ? start : Buffer.concat([start, ...rest], size) });
  });
  request.on('close', () => {
    if (size <= limit && !request.readableEnded) done('gone');
  });
}
