import { type FileSource, firstMessages } from '../../sdk/index.ts';
import { type Identities, parseIdentities } from './account-lists.ts';

export interface IdentitiesFile extends FileSource<Identities> {
  /** The problems of the last parsed text, for `/readyz`. */
  problems(): readonly string[];
}

/** The container-credentials file. An unusable entry is skipped; the others count. */
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
