import type { IncomingMessage } from 'node:http';
import type { FairShare } from './fair-share.ts';

export type Body =
  /** Holds its share of the budget until it is freed. */
  { readonly bytes: Buffer; readonly free: () => void } | 'too large' | 'overloaded' | 'gone';

/** Where a body of unknown size begins: most Pods fit after it has been doubled once or twice. */
const FIRST_BYTES = 16 * 1024;

/**
 * Reads a body up to a limit, within a budget of bytes that all bodies share; calls `done` exactly once. A body with too
 * large a Content-Length is not read at all.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  budget: FairShare,
  done: (body: Body) => void,
): void {
  const announced = Number(request.headers['content-length'] ?? limit);
  if (announced > limit) {
    done('too large');
    return;
  }
  let bytes: Buffer | undefined;
  let size = 0;
  let isOver = false;
  const stop = (reason: 'too large' | 'overloaded' | 'gone') => {
    isOver = true;
    bytes = undefined;
    claim.free();
    request.pause();
    done(reason);
  };
  const claim = budget.claim(request.socket.remoteAddress ?? '', () => stop('overloaded'));
  request.on('data', (chunk: Buffer) => {
    if (isOver) return;
    const needed = size + chunk.length;
    if (needed > limit) return stop('too large');
    if (bytes === undefined && needed === announced) {
      // Usually all of it arrives at once, and needs no copy.
      bytes = chunk;
      claim.grow(needed);
    } else {
      // Copied, and not kept in a list: a Buffer takes about a hundred bytes, and a chunk can be a single one.
      const grown = withRoom(bytes, size, needed, announced);
      claim.grow(grown.length - (bytes?.length ?? 0));
      if (isOver) return;
      chunk.copy(grown, size);
      bytes = grown;
    }
    size = needed;
  });
  request.on('end', () => {
    if (isOver) return;
    isOver = true;
    // The answer will free it.
    claim.giveWay('never');
    done({ bytes: bytes?.subarray(0, size) ?? Buffer.alloc(0), free: claim.free });
  });
  request.on('close', () => {
    if (!isOver) stop('gone');
  });
}

function withRoom(bytes: Buffer | undefined, size: number, needed: number, most: number): Buffer {
  if (bytes !== undefined && bytes.length >= needed) return bytes;
  const grown = Buffer.allocUnsafeSlow(Math.min(most, Math.max(FIRST_BYTES, 2 * needed)));
  bytes?.copy(grown, 0, 0, size);
  return grown;
}
