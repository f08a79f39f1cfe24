import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** An audit event whose objects are parsed only if they are needed: they are nearly all of its text. */
export interface EventParts {
  /** The event without its objects. */
  readonly event: JsonObject;
  /** Empty if it was not logged. */
  readonly requestText: string;
  readonly responseText: string;
}

/** Undefined if the line is not JSON. */
export function splitEvent(line: string): EventParts | undefined {
  return splitByPosition(line) ?? splitByParsing(line);
}

const REQUEST = ',"requestObject":';
const RESPONSE = ',"responseObject":';
const AFTER = ',"requestReceivedTimestamp":"';

/**
 * The API server writes an event's fields in one order, and inside a string every quote is escaped, so that these keys cannot be
 * part of one. They can be keys of an object inside; then the parts are not valid JSON, and the event is parsed as a whole.
 */
function splitByPosition(line: string): EventParts | undefined {
  const request = line.indexOf(REQUEST);
  const response = line.indexOf(RESPONSE, Math.max(request, 0));
  const after = line.lastIndexOf(AFTER);
  if (response < 0 || after < response) return undefined;
  const start = request < 0 ? response : request;
  const event = tryParse(`${line.slice(0, start)}${line.slice(after)}`);
  const responseText = line.slice(response + RESPONSE.length, after);
  if (!isJsonObject(event) || !looksWhole(responseText)) return undefined;
  const requestText = request < 0 ? '' : line.slice(request + REQUEST.length, response);
  return looksWhole(requestText) ? { event, requestText, responseText } : undefined;
}

/** A first check: whoever parses the text finds out. */
function looksWhole(text: string): boolean {
  return text === '' || text.endsWith('}') || text.endsWith(']') || text === 'null';
}

/** Any other order or spacing. */
export function splitByParsing(line: string): EventParts | undefined {
  const whole = tryParse(line);
  if (whole === undefined) return undefined;
  if (!isJsonObject(whole)) return { event: {}, requestText: '', responseText: '' };
  const { requestObject, responseObject, ...event } = whole;
  return { event, requestText: textOf(requestObject), responseText: textOf(responseObject) };
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value);
}

/** Without a check of the depth: nothing here recurses deeper than JSON.parse itself does. */
export function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
