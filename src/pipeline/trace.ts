import type { Kept } from '../graft/patch-writer.ts';
import type { Patch } from '../json/operation.ts';
import type { KubeObject } from '../kube/kube-object.ts';

/** One injector in one round. A later round is recorded only if it changed something. */
export type Step = {
  readonly injector: string;
  readonly round: number;
  readonly notes?: readonly string[];
} & Decision;

export type Decision =
  | { readonly decision: 'unmatched'; readonly reason: string }
  | { readonly decision: 'skipped'; readonly reason: string }
  | { readonly decision: 'denied'; readonly reason: string }
  /** It judged the final object, and did not reject it. */
  | { readonly decision: 'validated'; readonly reason: string }
  /** It threw, and its `onError` is `skip`. */
  | { readonly decision: 'failed'; readonly reason: string; readonly error: Error }
  | { readonly decision: 'grafted'; readonly patch: Patch; readonly kept: readonly Kept[] };

export type Outcome =
  | {
      readonly allowed: true;
      readonly object: KubeObject;
      readonly patch: Patch;
      readonly warnings: readonly string[];
      readonly trace: readonly Step[];
    }
  | {
      readonly allowed: false;
      readonly reason: string;
      readonly injector: string;
      readonly trace: readonly Step[];
    };
