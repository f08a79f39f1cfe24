import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Path of the cached helm. Contains its version, so that a new one in go.mod triggers a build. */
export function helmPath() {
  const goMod = readFileSync(new URL('go.mod', import.meta.url), 'utf8');
  const [, version] = /^\s*helm\.sh\/helm\/v3 (v\S+)/m.exec(goMod) ?? [];
  if (version === undefined) throw new Error('Cannot find the version of helm in tools/helm/go.mod');
  return join(homedir(), '.cache', 'podgraft', 'helm', version, 'helm');
}
