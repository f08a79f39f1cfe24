export function nodeRuntime(): Promise<string>;
