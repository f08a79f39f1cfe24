import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the program is built. go.mod is the only place that states the version. */
export function oraclePath() {
  const goMod = readFileSync(new URL('go.mod', import.meta.url), 'utf8');
  const version = /istio\.io\/istio (v\S+)/.exec(goMod)?.[1];
  if (version === undefined)
    throw new Error('Cannot find the version of Istio in tools/oracles/istio/go.mod');
  return join(homedir(), '.cache', 'podgraft', 'oracles', `istio-${version}`);
}
