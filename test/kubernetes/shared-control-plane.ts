import { inject } from 'vitest';
import { type Access, type Client, connect } from './client.ts';

declare module 'vitest' {
  interface ProvidedContext {
    controlPlane: Access;
  }
}

/**
 * The control plane that runs for all test files. Others see what you leave behind: take a namespace of your own and remove your
 * webhook configurations. A file that stops the API server or needs other options starts one for itself.
 */
export function sharedControlPlane(): Client {
  return connect(inject('controlPlane'));
}
