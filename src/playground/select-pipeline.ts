import type { Pipeline } from '../pipeline/pipeline.ts';

/** The pipeline without some injectors, or in another order. Injectors that `order` leaves out follow as they are. */
export function selectPipeline(
  pipeline: Pipeline,
  off: readonly string[],
  order: readonly string[] = [],
): Pipeline {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const stages = pipeline.stages
    .filter(({ name }) => !off.includes(name))
    .toSorted((one, other) => rank(one.name) - rank(other.name));
  return { ...pipeline, stages };
}
