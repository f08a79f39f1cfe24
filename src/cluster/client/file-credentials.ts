import { readFileSync } from 'node:fs';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Credential, Credentials } from './connection.ts';

/** Each part of a credential: a value, or a file that is read again from time to time. */
export type CredentialSources = { readonly [Part in keyof Credential]?: Source | undefined };

export type Source = { readonly value: string } | { readonly file: string };

/** Mounted tokens are rotated long before they expire. */
const READ_AGAIN_MS = 5_000;

export function fileCredentials(sources: CredentialSources, now: () => number = Date.now): Credentials {
  let known: Credential | undefined;
  let readAt = 0;
  return {
    async current() {
      if (known === undefined || now() - readAt >= READ_AGAIN_MS) {
        const parts = Object.entries(sources).flatMap(([part, source]) =>
          source ? [[part, read(source)]] : [],
        );
        known = Object.fromEntries(parts) as Credential;
        readAt = now();
      }
      return known;
    },
    refused() {
      known = undefined;
    },
  };
}

function read(source: Source): string {
  if ('value' in source) return source.value;
  try {
    return readFileSync(source.file, 'utf8').trim();
  } catch (cause) {
    const message = `Cannot read the credential file "${source.file}"`;
    throw new PodgraftError('CLUSTER_CREDENTIALS_UNAVAILABLE', message, { cause });
  }
}
