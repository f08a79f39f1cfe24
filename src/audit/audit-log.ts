/** The part of a logger that repeated audits use. */
export interface AuditLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
