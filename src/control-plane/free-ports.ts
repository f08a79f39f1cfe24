import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Calls `start` with free loopback ports. The programs cannot choose and report a port themselves, so another process may take
 * it before they bind: then `start` fails with their log in its message, and is called again with other ports.
 */
export async function withFreePorts<T>(
  count: number,
  start: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      if (attempt === 5 || !String(error).includes('address already in use')) throw error;
    }
  }
}

export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    // Below Linux's range for outgoing connections (32768 and up), so that no client can occupy the port while the API
    // server restarts.
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}
