import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { metadataOf } from '../../policy/cluster-objects.ts';
import { forbidden } from '../../policy/status.ts';
import { isPodCreation, type Plugin } from './plugin.ts';

/** Sets a Pod's priority from its PriorityClass. */
export const priority: Plugin = {
  name: 'Priority',
  handles: isPodCreation,
  mutate(request, { cluster }) {
    const spec = isJsonObject(request.object.spec) ? request.object.spec : {};
    const name = typeof spec.priorityClassName === 'string' ? spec.priorityClassName : '';
    const classes = cluster.list('scheduling.k8s.io', 'PriorityClass');
    const found =
      name === ''
        ? classes.find(({ globalDefault }) => globalDefault === true)
        : (classes.find((each) => metadataOf(each).name === name) ?? SYSTEM_CLASSES[name]);
    if (name !== '' && found === undefined) {
      return { status: forbidden(request, `no PriorityClass with name ${name} was found`) };
    }
    const value = typeof found?.value === 'number' ? found.value : 0;
    const policy = (found?.preemptionPolicy ?? 'PreemptLowerPriority') as string;
    if (spec.priority === value && spec.preemptionPolicy === policy) return request.object;
    if (typeof spec.priority === 'number' && spec.priority !== value) {
      const message = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
      return { status: forbidden(request, message) };
    }
    const className =
      name === '' && found !== undefined ? { priorityClassName: metadataOf(found).name as Json } : {};
    const next = { ...spec, ...className, priority: value, preemptionPolicy: policy };
    return { ...request.object, spec: next };
  },
};

const SYSTEM_CLASSES: { readonly [name: string]: JsonObject } = {
  'system-cluster-critical': { value: 2_000_000_000 },
  'system-node-critical': { value: 2_000_001_000 },
};

/** Lets a Pod stay for five minutes on a node that is not ready or unreachable. */
export const defaultTolerationSeconds: Plugin = {
  name: 'DefaultTolerationSeconds',
  handles: isPodCreation,
  mutate({ object }) {
    const spec = isJsonObject(object.spec) ? object.spec : {};
    const tolerations = (isJsonArray(spec.tolerations) ? spec.tolerations : []).filter(isJsonObject);
    const added = ['not-ready', 'unreachable']
      .map((state) => `node.kubernetes.io/${state}`)
      .filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)))
      .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
    if (added.length === 0) return object;
    return { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } };
  },
};

function tolerates({ key, effect }: JsonObject, taint: string): boolean {
  return (key === taint || !key) && (effect === 'NoExecute' || !effect);
}
