/** How to reach an API server, and as whom. */
export interface Connection {
  /** May have a path of its own, as behind a gateway that serves several clusters. */
  readonly server: URL;
  readonly tls: TlsSettings;
  readonly credentials: Credentials;
  /** Where the context, or the Pod that we run in, is at home. */
  readonly namespace?: string;
}

export interface TlsSettings {
  /** PEM; the runtime's own roots where it is absent. */
  readonly ca?: string;
  /** The name expected in the server's certificate, where it is not the host's. */
  readonly serverName?: string;
  readonly insecure?: boolean;
}

export interface Credentials {
  current(): Promise<Credential>;
  /** The server answered 401 to this one: `current` has to look for a newer one. */
  refused(credential: Credential): void;
}

export interface Credential {
  readonly token?: string;
  /** A client certificate and its key, PEM. */
  readonly cert?: string;
  readonly key?: string;
}
