/** Address and credentials of an API server. */
export interface Connection {
  /** May have a path, as behind a gateway that serves several clusters. */
  readonly server: URL;
  readonly tls: TlsSettings;
  readonly credentials: Credentials;
  /** The namespace of the kubeconfig's context, or of podgraft's own Pod. */
  readonly namespace?: string;
}

export interface TlsSettings {
  /** PEM; by default the runtime's own roots. */
  readonly ca?: string;
  /** The name expected in the server's certificate, if it is not the host's. */
  readonly serverName?: string;
  readonly insecure?: boolean;
}

export interface Credentials {
  current(): Promise<Credential>;
  /** The server answered 401: `current` must look for a newer credential. */
  refused(credential: Credential): void;
}

export interface Credential {
  readonly token?: string;
  /** A client certificate and its key, PEM. */
  readonly cert?: string;
  readonly key?: string;
}
