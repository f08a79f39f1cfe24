import type { JsonObject } from '../json/json.ts';
import type { Attributes } from '../policy/attributes.ts';
import type { Codec } from '../policy/codec.ts';
import type { Status } from '../policy/status.ts';
import { type ChainContext, type Mutated, withObject } from './context.ts';
import type { PluginStep } from './outcome.ts';
import { isStatus, type PodRequest } from './plugins/plugin.ts';

/** The mutating part of the API server's own plugins. */
export function runMutatingPlugins(
  request: Attributes,
  round: number,
  { plugins, cluster, newSuffix, codec, recorder }: ChainContext,
): Mutated {
  const tools = { cluster, newSuffix };
  let current = request;
  for (const plugin of plugins) {
    const before = current.object;
    if (plugin.mutate === undefined || before === null || !plugin.handles(current)) continue;
    const started = performance.now();
    const result = plugin.mutate(current as PodRequest, tools);
    const record = (result: PluginStep['result']) => {
      const milliseconds = performance.now() - started;
      recorder.step({ type: 'plugin', phase: 'mutating', round, plugin: plugin.name, milliseconds, result });
    };
    if (isStatus(result)) {
      record({ outcome: 'rejected', status: result.status });
      return result;
    }
    const after = result === before ? before : encoded(result, before, codec);
    record(after === before ? { outcome: 'unchanged' } : { outcome: 'changed', before, after });
    current = withObject(current, after);
  }
  return { object: current.object };
}

export function runValidatingPlugins(
  request: Attributes,
  { plugins, cluster, newSuffix, recorder }: ChainContext,
): Status | undefined {
  const tools = { cluster, newSuffix };
  for (const plugin of plugins) {
    if (plugin.validate === undefined || !plugin.handles(request)) continue;
    const started = performance.now();
    const status = plugin.validate(request, tools);
    recorder.step({
      type: 'plugin',
      phase: 'validating',
      round: 0,
      plugin: plugin.name,
      milliseconds: performance.now() - started,
      result: status === undefined ? { outcome: 'unchanged' } : { outcome: 'rejected', status },
    });
    if (status !== undefined) return status;
  }
  return undefined;
}

/** A plugin's values may come from objects in another notation, such as amounts of a LimitRange. They get no defaults. */
function encoded(object: JsonObject, before: JsonObject, codec: Codec): JsonObject {
  const decoded = codec.decode(object, before);
  return 'error' in decoded ? object : decoded.value;
}
