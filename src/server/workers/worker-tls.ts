import type { KeyPair, TlsSource } from '../tls-source.ts';

/** From the primary to its workers: the certificate, on request and whenever it changes. */
export interface TlsMessage {
  readonly tls: KeyPair;
  /** In milliseconds since 1970. */
  readonly caExpires?: number;
}

/** A worker requests it once it is ready to receive: earlier messages would be lost. */
const TLS_REQUEST = 'podgraft:tls?';

export function isTlsRequest(message: unknown): boolean {
  return message === TLS_REQUEST;
}

/** The certificate of a worker, from its primary. */
export async function tlsFromPrimary(): Promise<TlsSource> {
  let caExpires: number | undefined;
  // Registered first, so that listeners of the pair find its expiry.
  listen((message) => {
    caExpires = message.caExpires;
  });
  const initial = await new Promise<KeyPair>((resolve) => {
    const stop = listen(({ tls }) => {
      stop();
      resolve(tls);
    });
    process.send?.(TLS_REQUEST);
  });
  const onChange: TlsSource['onChange'] = (accept) => listen(({ tls }) => accept(tls));
  if (caExpires === undefined) return { initial, onChange };
  return { initial, onChange, caExpires: () => new Date(caExpires ?? 0) };
}

function listen(accept: (message: TlsMessage) => void): () => void {
  // prom-client sends its own messages.
  const onMessage = (message: unknown) => {
    if ((message as Partial<TlsMessage>).tls !== undefined) accept(message as TlsMessage);
  };
  process.on('message', onMessage);
  return () => process.off('message', onMessage);
}
