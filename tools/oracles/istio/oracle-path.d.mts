export function oraclePath(): string;
