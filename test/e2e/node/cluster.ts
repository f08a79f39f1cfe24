import { join } from 'node:path';
import type { GuardedFolder } from '../../../src/control-plane/guarded-folder.ts';
import { cacheFolder, type NodeProgram, type Program } from '../../../tools/kubernetes/cache-folder.mjs';
import type { Credentials } from './credentials.ts';
import type { Namespaces } from './namespaces.ts';

export const NODE_ADDRESS = '198.18.77.2';
export const NODE_NAME = 'node1';
/** The Service "kubernetes", by which Pods reach the API server. */
export const API_SERVICE_ADDRESS = '10.0.0.1';
/** As seen in the node's own network. */
export const API_URL = `https://${NODE_ADDRESS}:6443`;

/** What the programs of a cluster share. */
export interface Cluster {
  readonly folder: GuardedFolder;
  readonly namespaces: Namespaces;
  readonly credentials: Credentials;
  /** Address of the API server, as seen by the tests. */
  readonly url: string;
}

/** Where `npm run e2e:binaries` builds a program. */
export const programPath = (name: Program | NodeProgram) => join(cacheFolder(), name);
