import {
  builtin,
  type ClusterView,
  cacheByObject,
  isJsonObject,
  type KubeObject,
  type ObjectRef,
  PodgraftError,
} from '../../sdk/index.ts';
import type { ConfigurationTexts } from './config/configuration.ts';
import { DEMONSTRATION } from './config/demonstration.ts';
import { type LoadedConfiguration, loadConfiguration } from './load-configuration.ts';
import type { Settings } from './settings.ts';

const CONFIG_MAP = builtin('ConfigMap');

export interface Current {
  readonly loaded: LoadedConfiguration;
  /** Why a newer configuration is not in force. */
  readonly problem?: string;
}

/** In the order of `configMapRefs`. */
type ConfigMaps = readonly (KubeObject | undefined)[];

interface State {
  readonly maps: ConfigMaps;
  readonly lastGood: LoadedConfiguration | undefined;
  readonly problem?: string;
}

/** The state of an injector, by its settings. An invalid configuration does not replace the last good one. */
const stateOf = cacheByObject(
  (settings: Settings): { readonly refs: readonly ObjectRef[]; current?: State } => ({
    refs: configMapRefs(settings),
  }),
);

/** The configuration in force. It is read again when the cluster view has other ConfigMaps than the last time. */
export function currentConfiguration(settings: Settings, cluster: ClusterView): Current {
  const { lastGood, problem } = currentState(settings, cluster);
  if (lastGood === undefined) throw new PodgraftError('CONFIG_INVALID', problem ?? '');
  return problem === undefined ? { loaded: lastGood } : { loaded: lastGood, problem };
}

export function configurationProblems(settings: Settings, cluster: ClusterView): readonly string[] {
  const { problem } = currentState(settings, cluster);
  return problem === undefined ? [] : [problem];
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

function currentState(settings: Settings, cluster: ClusterView): State {
  const state = stateOf(settings);
  const mapAt = ({ ref, namespace, name }: ObjectRef) => cluster.get(ref, namespace, name);
  const { current } = state;
  if (current !== undefined && state.refs.every((ref, index) => mapAt(ref) === current.maps[index]))
    return current;
  state.current = nextState(current?.lastGood, state.refs.map(mapAt), settings);
  return state.current;
}

function nextState(lastGood: LoadedConfiguration | undefined, maps: ConfigMaps, settings: Settings): State {
  try {
    return { maps, lastGood: loadConfiguration(textsOf(maps, settings), settings) };
  } catch (cause) {
    const reason = (cause as Error).message;
    const problem = lastGood === undefined ? reason : `${reason}; the last good configuration stays in force`;
    return { maps, lastGood, problem };
  }
}

function textsOf([injector, mesh, shared]: ConfigMaps, settings: Settings): ConfigurationTexts {
  if (injector === undefined && settings.demonstration) return DEMONSTRATION;
  const [ref] = configMapRefs(settings);
  const place = `ConfigMap "${ref?.namespace}/${ref?.name}"`;
  if (injector === undefined) {
    throw new PodgraftError(
      'CONFIG_INVALID',
      `Cannot inject the proxy: ${place} not found; with "demonstration: true" a built-in template is used instead`,
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
