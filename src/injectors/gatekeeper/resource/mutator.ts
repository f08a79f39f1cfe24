import type { Json } from '../../../sdk/index.ts';
import type { Location } from '../location/location.ts';
import type { PathTests } from '../location/path-tests.ts';
import type { MutatorKind } from './resources.ts';
import type { ApplyTo, AssignSource, MatchSpec } from './spec-schema.ts';

/** A mutation resource, validated and ready to run. */
export interface Mutator {
  readonly kind: MutatorKind;
  readonly name: string;
  /** For messages: `Assign "limits"`. */
  readonly title: string;
  readonly location: Location;
  readonly pathTests: PathTests;
  readonly match: MatchSpec;
  /** Undefined for AssignMetadata, which applies to every kind. */
  readonly applyTo: readonly ApplyTo[] | undefined;
  /** For AssignMetadata, by annotation: an extension of podgraft. */
  readonly operations: readonly MutatedOperation[];
  /** `warn` only reports what it would change: an extension of podgraft. */
  readonly mode: 'enforce' | 'warn';
  readonly change: Change;
}

export type MutatedOperation = 'CREATE' | 'UPDATE';

export const MUTATED_OPERATIONS: readonly MutatedOperation[] = ['CREATE', 'UPDATE'];

/** The change at the end of the location. */
export type Change =
  | { readonly type: 'value'; readonly value: Json }
  | { readonly type: 'metadata'; readonly field: 'name' | 'namespace' }
  | { readonly type: 'externalData'; readonly source: ExternalSource }
  | { readonly type: 'merge' | 'prune'; readonly values: readonly Json[] | undefined }
  | { readonly type: 'image'; readonly domain: string; readonly path: string; readonly tag: string };

export type ExternalSource = NonNullable<AssignSource['externalData']>;

/** The operations that an entry of `applyTo` is for. */
export function operationsOf({ operations }: ApplyTo): readonly MutatedOperation[] {
  if (operations.length === 0) return MUTATED_OPERATIONS;
  return MUTATED_OPERATIONS.filter((each) => operations.includes('*') || operations.includes(each));
}
