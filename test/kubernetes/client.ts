import { Agent, request as httpsRequest } from 'node:https';
import { type KubectlOptions, type KubectlResult, runKubectl } from './kubectl.ts';

/** Address and credentials of a control plane; plain strings, so that the test runner can pass them to its workers. */
export type Access = { url: string; ca: string; token: string; kubeconfig: string };

export type Answer<T> = { status: number; headers: NodeJS.Dict<string | string[]>; body: T };

export type RequestOptions = {
  /** For PATCH. Default: merge patch. */
  contentType?: string;
  /** Another token, or null for none. */
  token?: string | undefined;
};

export type Client = Access & {
  /** Resolves with any status: `accepted` throws for errors. */
  request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<Answer<T>>;
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Closes idle connections. The client can be used again afterwards. */
  disconnect(): void;
};

export function connect(access: Access): Client {
  const agent = new Agent({ keepAlive: true, ca: access.ca });
  return {
    ...access,
    request: (method, path, body, options) => send(agent, access, method, path, body, options),
    kubectl: (args, options) => runKubectl(access.kubeconfig, args, options),
    disconnect: () => agent.destroy(),
  };
}

/** The body of a response; throws if its status is an error. */
export function accepted<T>({ status, body }: Answer<T>): T {
  if (status >= 300)
    throw new Error(`Unexpected status of the API server: ${status} ${JSON.stringify(body)}`);
  return body;
}

function send<T>(
  agent: Agent,
  access: Access,
  method: string,
  path: string,
  body: unknown,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const token = 'token' in options ? options.token : access.token;
  const defaultType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(payload && {
      'content-type': options.contentType ?? defaultType,
      'content-length': payload.length,
    }),
  };
  return new Promise((resolve, reject) => {
    const call = httpsRequest(new URL(path, access.url), { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        const parsed = (isJson ? JSON.parse(text) : text) as T;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
      });
    });
    call.on('error', reject);
    call.end(payload);
  });
}
