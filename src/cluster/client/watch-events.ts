import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '../../json/json.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import { ApiError, refusalFrom } from './api-error.ts';
import { unexpected } from './read-answer.ts';
import { unreachable } from './transport.ts';

/** The object of a BOOKMARK has only `metadata.resourceVersion`. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

/** The events of a watch, one JSON text a line. An unfinished last line, left by a server that went away, is dropped. */
export async function* eventsOf(
  response: IncomingMessage,
  what: string,
  onData: () => void,
): AsyncGenerator<WatchEvent, void, void> {
  response.setEncoding('utf8');
  // A long event arrives in many pieces, which are joined once, at its end.
  let pieces: string[] = [];
  try {
    for await (const chunk of response as AsyncIterable<string>) {
      onData();
      for (const [index, part] of chunk.split('\n').entries()) {
        if (index > 0) {
          const line = pieces.join('');
          pieces = [];
          if (line !== '') yield eventFrom(line, what);
        }
        pieces.push(part);
      }
    }
  } catch (error) {
    throw error instanceof PodgraftError ? error : unreachable(what, error);
  }
}

function eventFrom(line: string, what: string): WatchEvent {
  const event = tryParseJson(line);
  const { type, object } = isJsonObject(event) ? event : {};
  if (type === 'ERROR') throw new ApiError(what, refusalFrom(500, object));
  const isKnown = type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK';
  if (!isKnown || !isJsonObject(object) || !isJsonObject(object.metadata)) {
    throw unexpected(what, 'a watch event');
  }
  return { type, object: object as unknown as KubeObject };
}
