import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with the sources of an oracle. */
export function sourceFolder(system) {
  return fileURLToPath(new URL(`${system}/`, import.meta.url));
}

/** The cached program of an oracle. A new version of the system, or a change of our program, triggers a build. */
export function oraclePath(system) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'main.go']) hash.update(readFileSync(join(sourceFolder(system), file)));
  const key = `${oracleVersion(system)}-${hash.digest('hex').slice(0, 12)}`;
  return join(homedir(), '.cache', 'podgraft', 'oracles', system, key, 'oracle');
}

/** The version of the system, from the line of go.mod that ends with `// the judge`. */
export function oracleVersion(system) {
  const goMod = readFileSync(join(sourceFolder(system), 'go.mod'), 'utf8');
  const [, version] = / (v\S+) \/\/ the judge$/m.exec(goMod) ?? [];
  if (version === undefined) throw new Error(`Cannot find the version in tools/oracles/${system}/go.mod`);
  return version;
}
