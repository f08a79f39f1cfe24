import type { IncomingMessage } from 'node:http';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import { type PageReply, textReply } from '../page/page-reply.ts';
import type { RunRequest } from '../page/view.ts';

/** The API server's limit for an object. */
const MOST_BYTES = 3 * 1024 * 1024;

export type ReadRun = { readonly run: RunRequest } | { readonly problem: PageReply };

/** Reads the body of `POST api/run` under limits, and checks it. */
export async function readRunRequest(request: IncomingMessage): Promise<ReadRun> {
  const refuse = (status: number, text: string): ReadRun => ({ problem: textReply(status, text) });
  if (request.method !== 'POST') return refuse(405, 'api/run takes POST');
  // Anything else could be sent by a form of another site.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return refuse(415, 'Content-Type must be application/json');
  }
  const body = await readBody(request);
  if (body === undefined) return refuse(413, `the body is over ${MOST_BYTES} bytes`);
  const value = tryParseJson(body);
  const problem = problemOf(value);
  return problem === undefined ? { run: value as unknown as RunRequest } : refuse(400, problem);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function problemOf(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return 'the body is not a JSON object';
  const { yaml, operation = 'CREATE', off = [], order = [] } = value;
  if (typeof yaml !== 'string') return 'yaml is missing';
  if (operation !== 'CREATE' && operation !== 'UPDATE' && operation !== 'DELETE') {
    return 'operation is not CREATE, UPDATE or DELETE';
  }
  if (!isTexts(off)) return 'off is not a list of names';
  return isTexts(order) ? undefined : 'order is not a list of names';
}

function isTexts(value: Json): boolean {
  return isJsonArray(value) && value.every((item) => typeof item === 'string');
}
