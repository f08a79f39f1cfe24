import { stable } from '../../json/stable.ts';
import type { Container, Pod } from '../../kube/generated/types.ts';
import { annotationsOf, type DeepReadonly, labelsOf } from '../../kube/kube-object.ts';
import { configFrom } from '../../sdk/config.ts';
import { type Context, defineInjector, type Verdict } from '../../sdk/injector.ts';
import { keyOf } from '../../sdk/memory.ts';
import { deny, overlay, skip } from '../../sdk/verdict.ts';
import { type Ask, askOf } from './ask.ts';
import { planConfigMount } from './config-mount.ts';
import { type LogMounts, planLogMounts } from './log-mounts.ts';
import { quoted } from './parsed.ts';
import { placeSidecar, SIDECAR } from './placement.ts';
import { preStopWarnings } from './pre-stop.ts';
import { fitResources, type Misfit } from './resources.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { type Sidecar, type SidecarParts, sidecarContainer } from './sidecar.ts';

export const filebeat = defineInjector({
  name: 'filebeat',
  summary: 'Ships the log files of Pods that ask for it by annotation, through a Filebeat sidecar',
  idempotent: true,
  match: {},
  config: configFrom(settingsSchema),
  inject,
});

function inject(pod: DeepReadonly<Pod>, { request, config: settings }: Context<Settings>): Verdict {
  const annotations = annotationsOf(pod);
  const { enabled } = settings.keys;
  if (annotations[enabled] !== 'true') return skip(notEnabled(enabled, annotations[enabled]));

  const placement = placeSidecar(pod, settings);
  if ('skip' in placement) return skip(placement.skip, [`filebeat: no logs are shipped: ${placement.skip}`]);
  const { found } = placement;
  const ask = askOf(annotations, settings);
  const { wishes } = ask;
  // What its container and the Pod say of resources is known of this Pod alone.
  const isPlain = found === undefined && pod.spec.resources === undefined;
  const resources = isPlain
    ? ask.resources
    : fitResources(wishes.resources, settings.resources, found?.resources, pod);
  const problems = [...wishes.problems, ...resources.misfits.map((each) => misfitProblem(each, settings))];
  if (problems.length > 0) return deny(`Cannot inject Filebeat: ${problems.join('; ')}`);

  const { containers = [], initContainers = [], volumes = [] } = pod.spec;
  const apps = containers.filter(isNotSidecar);
  const inits = settings.initContainers ? initContainers.filter(isNotSidecar) : [];
  const sidecar = found ?? { name: SIDECAR };
  const logs = planLogMounts(wishes.logPath, [...apps, ...inits], sidecar, volumes);
  const config = planConfigMount(ask.config, sidecar, volumes);
  const app = labelsOf(pod).app || SIDECAR;
  const parts = { wishes, resources, config, logs, app, namespace: request.namespace };
  const wanted = isPlain ? newSidecar(parts, ask, settings) : sidecarContainer(parts, settings);
  const native = placement.list === 'initContainers';
  return overlay(
    {
      spec: {
        initContainers: [
          ...(native ? [{ ...wanted, restartPolicy: 'Always', $at: 'first' as const }] : []),
          ...withMounts(inits, logs),
        ],
        containers: [...withMounts(apps, logs), ...(native ? [] : [wanted])],
        volumes: config ? [...logs.volumes, config.volume] : logs.volumes,
      },
    },
    [
      ...placement.warnings,
      ...resources.warnings,
      ...logs.warnings,
      ...preStopWarnings(pod, sidecar, wishes.preStop),
    ],
  );
}

/** The same one for Pods that ask for the same and mount the same. */
function newSidecar(parts: SidecarParts, { sidecars }: Ask, settings: Settings): Sidecar {
  const { config, logs, app, namespace } = parts;
  // Variables come from the Pod's own containers.
  if (logs.env.length > 0) return sidecarContainer(parts, settings);
  const texts = [app, namespace, config?.mount.name];
  for (const { name, mountPath, subPath, subPathExpr, readOnly } of logs.mounts.get(SIDECAR) ?? []) {
    texts.push(name, mountPath, subPath, subPathExpr, String(readOnly));
  }
  return sidecars(keyOf(texts), () => stable(sidecarContainer(parts, settings)));
}

function notEnabled(key: string, value: string | undefined): string {
  return value === undefined
    ? `no annotation "${key}"`
    : `annotation "${key}" is ${quoted(value)}, not "true"`;
}

function misfitProblem({ resource, request, limit }: Misfit, { keys }: Settings): string {
  const [limits, requests] = [keys[`resources.limits.${resource}`], keys[`resources.requests.${resource}`]];
  return `annotation "${limits}" is "${limit}", expected at least the "${request}" of "${requests}"`;
}

function isNotSidecar({ name }: DeepReadonly<Container>): boolean {
  return name !== SIDECAR;
}

function withMounts(containers: readonly DeepReadonly<Container>[], logs: LogMounts) {
  return containers.flatMap(({ name }) => {
    const volumeMounts = logs.mounts.get(name);
    return volumeMounts === undefined ? [] : [{ name, volumeMounts }];
  });
}
