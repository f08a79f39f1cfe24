import type { KeyPair, TlsSource } from './tls-source.ts';

/** What the primary tells its workers: the certificate, when they ask for it and whenever it changes. */
export interface TlsMessage {
  readonly tls: KeyPair;
  /** In milliseconds since 1970. */
  readonly caExpires?: number;
}

/** A worker asks once it listens for the answer: what is sent to it before that is lost. */
const ASK_FOR_TLS = 'podgraft:tls?';

export function isAskedFor(message: unknown): boolean {
  return message === ASK_FOR_TLS;
}

/** A worker's certificate: what the primary sends. */
export async function tlsFromPrimary(): Promise<TlsSource> {
  let caExpires: number | undefined;
  // Heard before those who follow the pair, so that they find what belongs to it.
  listen((message) => {
    caExpires = message.caExpires;
  });
  const initial = await new Promise<KeyPair>((resolve) => {
    const stop = listen(({ tls }) => {
      stop();
      resolve(tls);
    });
    process.send?.(ASK_FOR_TLS);
  });
  const onChange: TlsSource['onChange'] = (accept) => listen(({ tls }) => accept(tls));
  if (caExpires === undefined) return { initial, onChange };
  return { initial, onChange, caExpires: () => new Date(caExpires ?? 0) };
}

function listen(accept: (message: TlsMessage) => void): () => void {
  // prom-client sends messages of its own.
  const onMessage = (message: unknown) => {
    if ((message as Partial<TlsMessage>).tls !== undefined) accept(message as TlsMessage);
  };
  process.on('message', onMessage);
  return () => process.off('message', onMessage);
}
