import { type FileSource, firstMessages } from '../../sdk/index.ts';
import { type Identities, parseIdentities } from './account-lists.ts';

export interface IdentitiesFile extends FileSource<Identities> {
  /** What is wrong with the text that was parsed last, for `/readyz`. */
  problems(): readonly string[];
}

/** The container-credentials file. An entry that cannot be used is skipped; the others count. */
export function identitiesFile(path: string): IdentitiesFile {
  let problems: readonly string[] = [];
  return {
    path,
    parse(text) {
      const skipped: string[] = [];
      problems = ['invalid, its previous content stays in effect'];
      const identities = parseIdentities(text, (problem) => skipped.push(problem));
      problems = firstMessages(skipped);
      return identities;
    },
    problems: () => problems.map((problem) => `file "${path}": ${problem}`),
  };
}
