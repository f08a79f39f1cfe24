import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { tryParseJson } from '../json/try-parse-json.ts';

/** An audit event whose objects are parsed only if they are needed: they are nearly all of its text. */
export interface EventParts {
  /** The event without its objects. */
  readonly event: JsonObject;
  /** The JSON of the objects; empty if it was not logged. */
  readonly request: Buffer;
  readonly response: Buffer;
}

/** Undefined if the line is not JSON. */
export function splitEvent(line: Buffer): EventParts | undefined {
  return splitByPosition(line) ?? splitByParsing(line);
}

const REQUEST = Buffer.from(',"requestObject":');
const RESPONSE = Buffer.from(',"responseObject":');
const AFTER = Buffer.from(',"requestReceivedTimestamp":"');

/**
 * The API server writes an event's fields in one order, and inside a string every quote is escaped, so that these keys cannot be
 * part of one. They can be keys of an object inside; then the parts are not valid JSON, and the event is parsed as a whole.
 */
function splitByPosition(line: Buffer): EventParts | undefined {
  const request = line.indexOf(REQUEST);
  const response = line.indexOf(RESPONSE, Math.max(request, 0));
  const after = line.lastIndexOf(AFTER);
  if (response < 0 || after < response) return undefined;
  const start = request < 0 ? response : request;
  const event = tryParseJson(`${line.toString('utf8', 0, start)}${line.toString('utf8', after)}`);
  if (!isJsonObject(event)) return undefined;
  return {
    event,
    request: request < 0 ? NOTHING : line.subarray(request + REQUEST.length, response),
    response: line.subarray(response + RESPONSE.length, after),
  };
}

/** Any other order or spacing. */
export function splitByParsing(line: Buffer): EventParts | undefined {
  const whole = tryParseJson(line.toString());
  if (whole === undefined) return undefined;
  const { requestObject, responseObject, ...event } = isJsonObject(whole) ? whole : {};
  return { event, request: bytesOf(requestObject), response: bytesOf(responseObject) };
}

const NOTHING = Buffer.alloc(0);

function bytesOf(value: Json | undefined): Buffer {
  return value === undefined ? NOTHING : Buffer.from(JSON.stringify(value));
}
