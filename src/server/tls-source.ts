import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { watchFile } from '../files/watched-file.ts';
import { PodgraftError } from '../podgraft-error.ts';

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A source of serving certificates. */
export interface TlsSource {
  readonly initial: KeyPair;
  /** When the CA expires, if the server manages its own. */
  caExpires?(): Date;
  /** Calls `accept` with every new valid pair; returns a function that stops it. */
  onChange(accept: (pair: KeyPair) => void, reject: (error: Error) => void): () => void;
}

/** A pair that never changes. */
export function fixedTls(initial: KeyPair): TlsSource {
  return { initial, onChange: () => () => {} };
}

/** Watches `tls.crt` and `tls.key` of a folder, such as a mounted Secret. */
export async function tlsFromFolder(folder: string): Promise<TlsSource> {
  const read = () => readPair(folder);
  const initial = await read();
  return {
    initial,
    onChange(accept, reject) {
      let current = initial;
      const reload = () =>
        read().then((pair) => {
          if (pair.cert === current.cert && pair.key === current.key) return;
          current = pair;
          accept(pair);
          // The old pair stays in use: in the middle of a rotation, certificate and key do not match.
        }, reject);
      const watched = [CERTIFICATE, KEY].map((file) =>
        watchFile(join(folder, file), {
          onText: reload,
          onError: (error) => reject(new Error(String(error))),
        }),
      );
      return () => {
        for (const file of watched) file.stop();
      };
    },
  };
}

const CERTIFICATE = 'tls.crt';
const KEY = 'tls.key';

export function expiryOf(pair: KeyPair): Date {
  return new Date(new X509Certificate(pair.cert).validTo);
}

async function readPair(folder: string): Promise<KeyPair> {
  try {
    const [cert, key] = await Promise.all([
      readFile(join(folder, CERTIFICATE), 'utf8'),
      readFile(join(folder, KEY), 'utf8'),
    ]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new PodgraftError('CERTIFICATE_INVALID', `Cannot use certificate in "${folder}": ${detail}`, {
      cause,
    });
  }
}
