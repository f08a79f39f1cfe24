import * as v from 'valibot';
import {
  annotationsOf,
  at,
  type Container,
  type Context,
  configFrom,
  type DeepReadonly,
  defineInjector,
  deny,
  labelsOf,
  type Overlay,
  overlay,
  type Pod,
  skip,
  type Verdict,
} from '../../sdk/index.ts';
import { annotationReader } from './annotations.ts';
import { type LogMounts, planLogMounts } from './log-mounts.ts';
import { volumesByName } from './mounts.ts';
import { placeSidecar, SIDECAR } from './placement.ts';
import { preStopWarnings } from './pre-stop.ts';
import { fitResources } from './resources.ts';
import { sample } from './sample.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { planConfigMount, sidecarContainer } from './sidecar.ts';
import { quoted } from './value-parsers.ts';

export const filebeat = defineInjector({
  name: 'filebeat',
  summary: 'Ships log files through a Filebeat sidecar, for Pods that enable it by annotation',
  starter: `with:
  # Environment of the sidecar, such as a Secret with the address and credentials of Elasticsearch.
  envFrom:
    - secretRef: {name: filebeat-elasticsearch}
# Pods enable it with the annotation filebeat.enabled: "true".
`,
  sample,
  match: {},
  config: configFrom(v.pipe(settingsSchema, v.transform(prepare))),
  inject,
});

type Config = ReturnType<typeof prepare>;

function prepare(settings: Settings) {
  return {
    ...settings,
    enabledKey: `${settings.annotationPrefix}enabled`,
    readAnnotations: annotationReader(settings),
  };
}

function inject(pod: DeepReadonly<Pod>, { request, config: settings }: Context<Config>): Verdict {
  const annotations = annotationsOf(pod);
  const { [settings.enabledKey]: enabled } = annotations;
  if (enabled !== 'true') return skip(notEnabled(settings.enabledKey, enabled));

  const placement = placeSidecar(pod, settings);
  if ('skip' in placement) return skip(placement.skip, [`filebeat: logs are not shipped: ${placement.skip}`]);
  const { existing, isNative } = placement;
  const options = settings.readAnnotations(annotations);
  const resources = fitResources(options.resources, settings, existing?.resources, pod);
  const problems = [...options.problems, ...resources.problems];
  if (problems.length > 0) return deny(`Cannot inject Filebeat: ${problems.join('; ')}`);

  const { containers = [], initContainers = [] } = pod.spec;
  const volumes = volumesByName(pod);
  const apps = containers.filter(isNotSidecar);
  const inits = settings.initContainers ? initContainers.filter(isNotSidecar) : [];
  const sidecar = existing ?? { name: SIDECAR };
  const logs = planLogMounts(options.logPath, [...apps, ...inits], sidecar, volumes);
  if (logs.problem !== undefined) return deny(`Cannot inject Filebeat: ${logs.problem}`);
  const config = planConfigMount(options.configMap, sidecar, volumes);
  // In a manifest file the label may still be a number.
  const app = String(labelsOf(pod).app || SIDECAR);
  const wanted = sidecarContainer(
    { options, resources, config, logs, app, namespace: request.namespace },
    settings,
  );
  return overlay(
    {
      spec: {
        initContainers: [
          ...(isNative ? [at('first', { ...wanted, restartPolicy: 'Always' })] : []),
          ...withMounts(inits, logs),
        ],
        containers: [...withMounts(apps, logs), ...(isNative ? [] : [wanted])],
        volumes: [...logs.volumes, ...config.volumes],
      },
    },
    [
      ...placement.warnings,
      ...resources.warnings,
      ...preStopWarnings(pod, sidecar, options),
      ...firstOf(logs.warnings),
    ],
  );
}

function notEnabled(key: string, value: string | undefined): string {
  return value === undefined
    ? `no annotation "${key}"`
    : `annotation "${key}" is ${quoted(value)}, not "true"`;
}

/** A Pod may have thousands of containers, and a warning for each. */
const MAX_WARNINGS = 20;

function firstOf(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MAX_WARNINGS) return warnings;
  const more = warnings.length - MAX_WARNINGS;
  return [...warnings.slice(0, MAX_WARNINGS), `filebeat: ${more} more warnings like these`];
}

function isNotSidecar({ name }: DeepReadonly<Container>): boolean {
  return name !== SIDECAR;
}

function withMounts(containers: readonly DeepReadonly<Container>[], { mounts }: LogMounts) {
  const overlays: Overlay<Container>[] = [];
  for (const { name } of containers) {
    const volumeMounts = mounts.get(name);
    if (volumeMounts !== undefined) overlays.push({ name, volumeMounts });
  }
  return overlays;
}
