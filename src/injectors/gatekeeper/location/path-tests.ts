import { type Location, locationText, sameNode } from './location.ts';

export type Condition = 'MustExist' | 'MustNotExist';

/** The condition at each depth of a location, if any. */
export type PathTests = readonly (Condition | undefined)[];

export interface PathTest {
  readonly subPath: Location;
  readonly condition: Condition;
}

export interface PathTestProblem {
  /** Of the test in its list. */
  readonly index: number;
  readonly problem: string;
}

/** Orders tests by depth. Contradictions are found by depth, not by their order in the list. */
export function orderPathTests(location: Location, tests: readonly PathTest[]): PathTests | PathTestProblem {
  const conditions: (Condition | undefined)[] = [];
  for (const [index, { subPath, condition }] of tests.entries()) {
    const { nodes } = subPath;
    // As in Gatekeeper, an empty path tests nothing.
    if (nodes.length === 0) continue;
    if (!nodes.every((node, at) => sameNode(node, location.nodes[at]))) {
      return { index, problem: `"${subPath.text}" is not a prefix of location "${location.text}"` };
    }
    const depth = nodes.length - 1;
    if ((conditions[depth] ?? condition) !== condition) {
      return { index, problem: `"${subPath.text}" cannot both exist and not exist` };
    }
    conditions[depth] = condition;
  }
  const missing = conditions.indexOf('MustNotExist');
  const existing = conditions.lastIndexOf('MustExist');
  if (missing < 0 || existing <= missing) return conditions;
  const index = tests.findIndex(({ subPath }) => subPath.nodes.length - 1 === existing);
  const parent = locationText(location.nodes, missing + 1);
  return { index, problem: `it must exist, but "${parent}" above it must not` };
}
