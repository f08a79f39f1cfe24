import type { Socket } from 'node:net';

/** The open connections, and which of them are idle: what a drain has to wait for. */
export class Connections {
  readonly #requests = new Map<Socket, number>();
  #onEmpty: (() => void) | undefined;

  opened(socket: Socket): void {
    this.#requests.set(socket, 0);
    socket.once('close', () => {
      this.#requests.delete(socket);
      if (this.#requests.size === 0) this.#onEmpty?.();
    });
  }

  began(socket: Socket): void {
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
  }

  ended(socket: Socket): void {
    const count = this.#requests.get(socket);
    if (count !== undefined) this.#requests.set(socket, count - 1);
  }

  closeIdle(): void {
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.end();
  }

  closeAll(): void {
    for (const socket of this.#requests.keys()) socket.destroy();
  }

  /** Resolves when the last connection has closed. */
  empty(): Promise<void> {
    if (this.#requests.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
