import type { ServerResponse } from 'node:http';
import { pageHeaders } from './page-reply.ts';
import type { PageEvents } from './view.ts';

export interface EventStreams {
  /** Keeps the response open for events. False if there are too many. */
  open(response: ServerResponse): boolean;
  /** Sends a text of `eventText` to everyone. */
  send(text: string): void;
  stop(): void;
}

const MOST_STREAMS = 32;
const HEARTBEAT_MS = 15_000;
/** A browser that does not read is disconnected, and connects again later. */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024;

/** Server-sent events. */
export function createEventStreams(): EventStreams {
  const open = new Set<ServerResponse>();
  const write = (text: string) => {
    for (const response of open) {
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
      else response.write(text);
    }
  };
  const timer = setInterval(() => write(':\n\n'), HEARTBEAT_MS).unref();
  return {
    open(response) {
      if (open.size >= MOST_STREAMS) return false;
      response.writeHead(200, { ...pageHeaders(), 'Content-Type': 'text/event-stream' });
      response.write('retry: 1000\n\n');
      open.add(response);
      response.on('close', () => open.delete(response));
      response.on('error', () => open.delete(response));
      return true;
    },
    send: write,
    stop() {
      clearInterval(timer);
      for (const response of open) response.end();
    },
  };
}

export function eventText<Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
