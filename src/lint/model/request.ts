import type { StringMap } from '../../kube/kube-object.ts';
import type { UserInfo } from '../../policy/attributes.ts';

/** A request that a webhook may be called for. */
export interface Request {
  readonly group: string;
  /** `pods` or `pods/status`. */
  readonly resource: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** Absent for cluster-scoped objects, and if it does not matter. Its labels are absent if unknown. */
  readonly namespace?: { readonly name: string; readonly labels?: StringMap };
  /** Labels of the object; absent if unknown. */
  readonly labels?: StringMap;
  /** By default a controller of the control plane. */
  readonly user?: UserInfo;
}
