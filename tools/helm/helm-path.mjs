import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where helm is kept: keyed by its version, so that raising it in go.mod builds anew. */
export function helmPath() {
  const goMod = readFileSync(new URL('go.mod', import.meta.url), 'utf8');
  const [, version] = /^\s*helm\.sh\/helm\/v3 (v\S+)/m.exec(goMod) ?? [];
  if (version === undefined)
    throw new Error('Cannot find version in tools/helm/go.mod: no requirement of helm');
  return join(homedir(), '.cache', 'podgraft', 'helm', version, 'helm');
}
