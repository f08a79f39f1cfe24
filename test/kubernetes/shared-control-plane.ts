import { inject } from 'vitest';
import { type Access, type Client, connect } from './client.ts';

declare module 'vitest' {
  interface ProvidedContext {
    controlPlane: Access;
  }
}

/**
 * The control plane that all test files share. Use a separate namespace and remove your webhook configurations. A test file that stops
 * the API server or needs other options starts its own.
 */
export function sharedControlPlane(): Client {
  return connect(inject('controlPlane'));
}
