import type { IncomingMessage } from 'node:http';

export type Body = { readonly bytes: Buffer } | 'too large' | 'aborted';

/** Collects a body up to a limit and hands it on once. What is announced as too large is not read at all. */
export function readBody(request: IncomingMessage, limit: number, done: (body: Body) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    done('too large');
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let finished = false;
  const finish = (body: Body) => {
    if (finished) return;
    finished = true;
    done(body);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      request.pause();
      finish('too large');
    } else if (!finished) {
      chunks.push(chunk);
    }
  });
  request.on('end', () => {
    const [first] = chunks;
    finish({ bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks) });
  });
  request.on('error', () => finish('aborted'));
  request.on('close', () => finish('aborted'));
}
