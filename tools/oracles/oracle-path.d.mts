export function sourceFolder(system: string): string;
export function oraclePath(system: string): string;
export function oracleVersion(system: string): string;
