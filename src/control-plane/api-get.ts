import { request } from 'node:https';

/** Address and credentials of an API server. */
export interface ApiAccess {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

/** Reads a path of an API server that may not answer yet. */
export function apiGet(
  { url, ca, token }: ApiAccess,
  path: string,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` };
    const call = request(new URL(path, url), { ca, headers, agent: false, timeout: 2_000 }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', reject);
    call.end();
  });
}
