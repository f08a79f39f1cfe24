import type { ServerResponse } from 'node:http';
import { fillsConnection } from '../http-replies.ts';
import { createFairShare } from './fair-share.ts';

/** Called with each answer that has been written. */
export type HoldUnread = (response: ServerResponse, bytes: number) => void;

/**
 * Limits the memory of large answers that callers have not read yet. Beyond it, the oldest one of the largest peer ends with its
 * connection. Small answers need no limit: once enough of them fill a connection, Node reads no further request from it.
 */
export function limitUnread(limit: number): HoldUnread {
  const share = createFairShare(limit);
  return ({ socket }, bytes) => {
    if (socket === null || !fillsConnection(bytes)) return;
    const claim = share.claim(socket.remoteAddress ?? '', () => socket.destroy());
    // No other answer follows on this connection.
    socket.once('close', claim.free);
    claim.grow(bytes);
  };
}
