import { request } from 'node:https';
import { PATH } from '../load.mjs';

/** Posts a review, and returns the number of operations in the patch of the answer. Throws if the review is not allowed. */
export function answerOf({ port, path = PATH }, body) {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, method: 'POST', rejectUnauthorized: false };
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const call = request({ ...options, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        try {
          const { allowed, patch } = JSON.parse(text).response;
          if (!allowed) throw new Error('not allowed');
          resolve(patch ? JSON.parse(Buffer.from(patch, 'base64').toString()).length : 0);
        } catch (cause) {
          reject(new Error(`Unexpected answer: ${response.statusCode} ${text.slice(0, 500)}`, { cause }));
        }
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}
