import type { FileSource } from '../sdk/file-view.ts';
import type { Pipeline } from './pipeline.ts';

/** The files on which answers depend, and which the edge therefore has to watch. */
export function fileSources(pipeline: Pipeline): readonly FileSource[] {
  return pipeline.stages.flatMap(({ injector, config }) => injector.files?.(config) ?? []);
}
