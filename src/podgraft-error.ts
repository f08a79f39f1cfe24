/** An error with a stable code. Expected outcomes are values instead. */
export class PodgraftError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PodgraftError';
    this.code = code;
  }
}

/** All codes. `docs/errors.md` explains each. */
export type ErrorCode =
  | 'CERTIFICATE_INVALID'
  | 'CLUSTER_API_REFUSED'
  | 'CLUSTER_API_UNREACHABLE'
  | 'CLUSTER_CREDENTIALS_UNAVAILABLE'
  | 'CLUSTER_FILE_INVALID'
  | 'CLUSTER_NOT_FOUND'
  | 'CLUSTER_READ_FAILED'
  | 'CONFIG_INVALID'
  | 'CONFIG_UNREADABLE'
  | 'EXPRESSION_FAILED'
  | 'EXPRESSION_INVALID'
  | 'INJECTOR_FAILED'
  | 'INJECTOR_MODULE_INVALID'
  | 'INJECTORS_CONFLICT'
  | 'INJECTOR_UNSETTLED'
  | 'INPUT_INVALID'
  | 'KUBECONFIG_INVALID'
  | 'MUTATION_FAILED'
  | 'OVERLAY_INVALID'
  | 'PATCH_INVALID'
  | 'PROVIDER_FAILED'
  | 'QUANTITY_INVALID'
  | 'REVIEW_INVALID'
  | 'TLS_SECRET_FOREIGN'
  | 'USAGE';
