import { PodgraftError } from '../../podgraft-error.ts';
import type { Credential, Credentials } from './connection.ts';
import { fileContent } from './file-content.ts';

/** Where each part of a credential stands: in the settings themselves, or in a file that is read again when it changes. */
export interface CredentialSources {
  readonly token?: Source;
  readonly cert?: Source;
  readonly key?: Source;
}

export type Source = { readonly value: string } | { readonly file: string };

export function fileCredentials(sources: CredentialSources, now: () => number = Date.now): Credentials {
  const parts = (['token', 'cert', 'key'] as const).flatMap((name) => {
    const source = sources[name];
    return source === undefined ? [] : [{ name, ...reader(source, now) }];
  });
  return {
    async current(): Promise<Credential> {
      return Object.fromEntries(parts.map(({ name, read }) => [name, read()]));
    },
    refused() {
      for (const { forget } of parts) forget();
    },
  };
}

function reader(source: Source, now: () => number): { read(): string; forget(): void } {
  if ('value' in source) return { read: () => source.value, forget: () => {} };
  const content = fileContent(source.file, now);
  return {
    read() {
      try {
        return content.read().trim();
      } catch (cause) {
        const message = `Cannot read the credential file "${source.file}"`;
        throw new PodgraftError('CLUSTER_CREDENTIALS_UNAVAILABLE', message, { cause });
      }
    },
    forget: content.forget,
  };
}
