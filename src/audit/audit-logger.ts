/** The part of a logger that repeated audits use. */
export interface AuditLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
