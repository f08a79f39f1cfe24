import type { Server, Socket } from 'node:net';
import { createFairShare } from './fair-share.ts';

export interface Connections {
  readonly count: number;
  /** A complete request is being answered: the connection stays. */
  answering(socket: Socket): void;
  answered(socket: Socket): void;
}

/**
 * Limits the connections of a server. Beyond the limit, closes the oldest connection without a complete request, such as an
 * unfinished handshake; then the one that has been idle for longest. `server.maxConnections` would refuse the newest one
 * instead, so that a client that holds all of them would lock out everyone else.
 */
export function limitConnections(server: Server, limit: number, onEnd: () => void): Connections {
  const share = createFairShare(limit);
  const claims = new WeakMap<Socket, ReturnType<typeof share.claim>>();
  /** By address, because TLS has another socket for the same connection. */
  const handshakes = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    const claim = share.claim(socket.remoteAddress ?? '', () => {
      socket.destroy();
      onEnd();
    });
    claims.set(socket, claim);
    handshakes.set(address, socket);
    socket.once('close', () => {
      claim.free();
      if (handshakes.get(address) === socket) handshakes.delete(address);
    });
    claim.grow(1);
  });
  server.on('secureConnection', (socket: Socket) => {
    const connection = handshakes.get(addressOf(socket));
    const claim = connection && claims.get(connection);
    if (claim) claims.set(socket, claim);
  });
  return {
    get count() {
      return share.count;
    },
    answering: (socket) => claims.get(socket)?.giveWay('never'),
    answered: (socket) => claims.get(socket)?.giveWay('last'),
  };
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
