import { Agent, request } from 'node:https';
import type { KubeClient } from '../cluster/client/client.ts';
import type { Json } from '../json/json.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import type { Call, Reply, ServiceCall } from '../sdk/calls.ts';
import { askAccess } from './ask-access.ts';

/** Replies are a few keys and values. */
const MOST_BYTES = 1024 * 1024;

export type MakeCalls = (calls: readonly Call[], deadlineMs: number) => Promise<readonly Reply[]>;

/** Makes the calls that injectors wait for, all at once. Never rejects: failures are in the reply. Without a client no cluster is asked. */
export function createCaller(client?: Pick<KubeClient, 'create'>): MakeCalls {
  const agent = new Agent({ keepAlive: true, minVersion: 'TLSv1.3' });
  return (calls, deadlineMs) =>
    Promise.all(
      calls.map((call) =>
        'access' in call
          ? askAccess(call, client, deadlineMs)
          : makeCall(call, agent, Math.min(call.timeoutMs, deadlineMs)),
      ),
    );
}

function makeCall({ url, ca, body }: ServiceCall, agent: Agent, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve) => {
    const text = JSON.stringify(body);
    const fail = (failure: string) => resolve({ failure });
    const call = request(url, {
      method: 'POST',
      agent,
      ...(ca !== undefined && { ca }),
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) },
    });
    // A total timeout, not an idle timeout.
    const timer = setTimeout(
      () => call.destroy(new Error(`no reply within ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
    call.on('error', (error) => fail(error.message));
    call.on('close', () => clearTimeout(timer));
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) call.destroy(new Error(`the reply is larger than ${MOST_BYTES} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', (error) => fail(error.message));
      response.on('end', () => resolve(readReply(response.statusCode, Buffer.concat(chunks))));
    });
    call.end(text);
  });
}

function readReply(status: number | undefined, bytes: Buffer): Reply {
  if (status !== 200) return { failure: `HTTP status ${status}` };
  const body: Json | undefined = tryParseJson(bytes.toString('utf8'));
  return body === undefined ? { failure: 'the reply is not JSON' } : { body };
}
