export const serveFile: string;
export function sourceFolder(system: string): string;
export function oraclePath(system: string): string;
export function oracleModule(system: string): {
  readonly module: string;
  readonly version: string;
  readonly isCopied: boolean;
};
