import type { DeepReadonly, ResourceRequirements } from '../../sdk/index.ts';

/** Limits and requests are defaulted apart: an empty map says that there shall be none. */
export function agentResources(
  wanted: DeepReadonly<ResourceRequirements> | undefined,
  cpu: string,
  memory: string,
): DeepReadonly<ResourceRequirements> {
  return { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu, memory }, ...wanted };
}
