import { isJsonObject } from '../../json/json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { builtin, type ObjectRef } from '../../kube/resource.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import { type Configuration, type ConfigurationTexts, readConfiguration } from './configuration.ts';
import { DEMONSTRATION } from './demonstration.ts';
import { renderSample } from './sample-pod.ts';
import type { Settings } from './settings.ts';

const CONFIG_MAP = builtin('ConfigMap');

/** What is in force, and what is wrong with what is newer. */
export interface Current {
  readonly configuration: Configuration;
  readonly problem?: string;
}

/** In the order of `configMapRefs`. */
type ConfigMaps = readonly (KubeObject | undefined)[];

interface State {
  readonly maps: ConfigMaps;
  readonly good: Configuration | undefined;
  readonly problem?: string;
}

/**
 * By the entry's settings: what its ConfigMaps said when they were last read. A cache, since reading and compiling takes
 * far longer than a request may; and the memory of the last that was good, which a broken one does not replace.
 */
const states = new WeakMap<Settings, State>();

/** The configuration in force. The ConfigMaps are read again when the view holds other objects than the last time. */
export function currentConfiguration(settings: Settings, cluster: ClusterView): Current {
  const { good, problem } = currentState(settings, cluster);
  if (good === undefined) throw new PodgraftError('CONFIG_INVALID', problem ?? '');
  return problem === undefined ? { configuration: good } : { configuration: good, problem };
}

/** For `/readyz`, metrics and log: what is wrong with what is there now, whether or not a Pod has come since. */
export function configurationProblems(settings: Settings, cluster: ClusterView): readonly string[] {
  const { problem } = currentState(settings, cluster);
  return problem === undefined ? [] : [problem];
}

function currentState(settings: Settings, cluster: ClusterView): State {
  const maps = configMapRefs(settings).map(({ ref, namespace, name }) => cluster.get(ref, namespace, name));
  let state = states.get(settings);
  if (state === undefined || maps.some((map, index) => map !== state?.maps[index])) {
    state = nextState(state, maps, settings);
    states.set(settings, state);
  }
  return state;
}

export function configMapRefs({ namespace, revision, sharedMeshConfig }: Settings): readonly ObjectRef[] {
  const suffix = revision === '' || revision === 'default' ? '' : `-${revision}`;
  const names = [
    `istio-sidecar-injector${suffix}`,
    `istio${suffix}`,
    ...(sharedMeshConfig === '' ? [] : [sharedMeshConfig]),
  ];
  return names.map((name) => ({ ref: CONFIG_MAP, namespace, name }));
}

function nextState(before: State | undefined, maps: ConfigMaps, settings: Settings): State {
  try {
    const configuration = readConfiguration(textsOf(maps, settings), settings);
    renderSample(configuration, settings);
    return { maps, good: configuration };
  } catch (cause) {
    const good = before?.good;
    const reason = (cause as Error).message;
    return {
      maps,
      good,
      problem: good === undefined ? reason : `${reason}; the last good configuration stays`,
    };
  }
}

function textsOf([injector, mesh, shared]: ConfigMaps, settings: Settings): ConfigurationTexts {
  if (injector === undefined && settings.demonstration) return DEMONSTRATION;
  const [wanted] = configMapRefs(settings);
  const place = `ConfigMap "${wanted?.namespace}/${wanted?.name}"`;
  if (injector === undefined) {
    throw new PodgraftError(
      'CONFIG_INVALID',
      `Cannot inject the proxy: ${place} is not there; with "demonstration: true" a built-in template is used instead`,
    );
  }
  const { config, values } = dataOf(injector);
  if (config === undefined || values === undefined) {
    throw new PodgraftError(
      'CONFIG_INVALID',
      `Cannot read ${place}: it needs the keys "config" and "values"`,
    );
  }
  return { config, values, mesh: dataOf(mesh).mesh ?? '', sharedMesh: dataOf(shared).mesh ?? '' };
}

function dataOf(configMap: KubeObject | undefined): Readonly<Record<string, string | undefined>> {
  return isJsonObject(configMap?.data) ? (configMap.data as Record<string, string>) : {};
}
