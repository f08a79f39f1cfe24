export function helmPath(): string;
