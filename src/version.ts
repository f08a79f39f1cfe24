import { readFileSync } from 'node:fs';

/** package.json is the only place that states the version. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
