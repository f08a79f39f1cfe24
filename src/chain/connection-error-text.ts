/** A Go program's message for an error of Node's TLS client. */
export function connectionErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port, hostname } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
    readonly hostname?: string;
  };
  const place = address?.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${place}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${place}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${place}: connect: network is unreachable`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNRESET':
    case 'EPIPE':
      return 'EOF';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${error.message}`;
    default:
      return UNKNOWN_AUTHORITY.has(code ?? '')
        ? 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
        : error.message;
  }
}

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);
