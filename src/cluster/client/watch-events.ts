import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '../../json/json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import { ApiError, refusalFrom } from './api-error.ts';
import { parseJson } from './parse-json.ts';
import { unreachable } from './transport.ts';

/** Of a BOOKMARK only `metadata.resourceVersion` means something. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

/** The events of a watch, one JSON text a line. An unfinished last line is the trace of a server that went away. */
export async function* eventsOf(
  response: IncomingMessage,
  what: string,
  onData: () => void,
): AsyncGenerator<WatchEvent, void, void> {
  response.setEncoding('utf8');
  // An event may come in many pieces: joined once, when its end is there.
  let pieces: string[] = [];
  const chunks = response[Symbol.asyncIterator]();
  try {
    for (;;) {
      const chunk = await nextChunk(chunks, what);
      if (chunk === undefined) return;
      onData();
      let start = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
        pieces.push(chunk.slice(start, end));
        start = end + 1;
        const line = pieces.join('');
        pieces = [];
        if (line !== '') yield eventFrom(line, what);
      }
      if (start < chunk.length) pieces.push(chunk.slice(start));
    }
  } finally {
    response.destroy();
  }
}

async function nextChunk(chunks: AsyncIterator<string>, what: string): Promise<string | undefined> {
  try {
    const { done, value } = await chunks.next();
    return done ? undefined : value;
  } catch (error) {
    throw unreachable(what, error);
  }
}

function eventFrom(line: string, what: string): WatchEvent {
  const event = parseJson(line);
  if (!isJsonObject(event) || !isJsonObject(event.object)) throw noEvent(what);
  const { type, object } = event;
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      if (!isJsonObject(object.metadata)) throw noEvent(what);
      return { type, object: object as unknown as KubeObject };
    case 'ERROR':
      throw new ApiError(what, refusalFrom(500, object));
    default:
      throw noEvent(what);
  }
}

function noEvent(what: string): PodgraftError {
  return new PodgraftError('CLUSTER_API_UNREACHABLE', `Cannot ${what}: the server sent no event`);
}
