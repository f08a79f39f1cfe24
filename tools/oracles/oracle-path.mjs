import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with the sources of an oracle. */
export function sourceFolder(system) {
  return fileURLToPath(new URL(`${system}/`, import.meta.url));
}

/** The part that all programs share: the build adds it to each. */
export const serveFile = fileURLToPath(new URL('serve.go', import.meta.url));

/** The cached program of an oracle. A new version of the system, or a change of our program, triggers a build. */
export function oraclePath(system) {
  const hash = createHash('sha256');
  const programs = readdirSync(sourceFolder(system)).filter((file) => file.endsWith('.go'));
  for (const file of ['go.mod', ...programs.sort()])
    hash.update(readFileSync(join(sourceFolder(system), file)));
  hash.update(readFileSync(serveFile));
  const key = `${oracleModule(system).version}-${hash.digest('hex').slice(0, 12)}`;
  return join(homedir(), '.cache', 'podgraft', 'oracles', system, key, 'oracle');
}

/**
 * The module and version of the system, from the line of go.mod that ends with `// the judge`. If that says `copied`, the program
 * is built inside a copy of the module.
 */
export function oracleModule(system) {
  const goMod = readFileSync(join(sourceFolder(system), 'go.mod'), 'utf8');
  const [, module, version, copied] = /(\S+) (v\S+) \/\/ the judge(, copied)?$/m.exec(goMod) ?? [];
  if (module === undefined) throw new Error(`Cannot find the version in tools/oracles/${system}/go.mod`);
  return { module, version, isCopied: copied !== undefined };
}
