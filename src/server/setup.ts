import type { FinalCheck } from '../admission/answer-review.ts';
import type { Mark } from '../admission/mark.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { FailedRead, ObjectRef } from '../sdk/reads.ts';

/** What a configuration decides about a review. Replaced only as a whole, so that no review sees parts of two. */
export interface Setup {
  readonly pipeline: Pipeline;
  readonly cluster: ClusterView;
  readonly files?: FileView;
  /** Reads objects into the cluster view; absent if the view is complete. */
  readonly gather?: (needs: readonly ObjectRef[], milliseconds: number) => Promise<readonly FailedRead[]>;
  readonly finalCheck?: FinalCheck;
  /** Written on objects that will be checked by replicas, perhaps with other configurations. */
  readonly mark?: Mark;
}
