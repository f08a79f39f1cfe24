import type { Container, LifecycleHandler, Pod } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';

/** The API server's default. */
const GRACE_SECONDS = 30;

/** A hook, and for how long it sleeps. */
export interface PreStop {
  readonly hook: DeepReadonly<LifecycleHandler>;
  readonly sleep: number;
}

export function toPreStop(hook: DeepReadonly<LifecycleHandler>): PreStop {
  return { hook, sleep: sleepSeconds(hook) };
}

/** What is wrong with how the sidecar will be stopped; its own hook counts where it has one. */
export function preStopWarnings(
  pod: DeepReadonly<Pod>,
  sidecar: DeepReadonly<Container>,
  wanted: PreStop,
): string[] {
  const own = sidecar.lifecycle?.preStop ?? undefined;
  const { hook, sleep } = own === undefined ? wanted : toPreStop(own);
  const warnings: string[] = [];
  const grace = pod.spec.terminationGracePeriodSeconds ?? GRACE_SECONDS;
  if (grace < sleep) {
    warnings.push(
      `filebeat: terminationGracePeriodSeconds is ${grace}, shorter than the preStop sleep of ${sleep} seconds: Filebeat will be killed in its sleep`,
    );
  }
  const port = hook.httpGet?.port;
  if (typeof port === 'string' && !sidecar.ports?.some(({ name }) => name === port)) {
    warnings.push(
      `filebeat: the preStop hook calls port "${port}", which the container does not have: name it by its number`,
    );
  }
  return warnings;
}

const SECONDS: { readonly [unit: string]: number } = { '': 1, s: 1, m: 60, h: 3600, d: 86400 };

/** How long a hook sleeps for certain: `sleep 15` anywhere in its command, all of them together. */
export function sleepSeconds({ sleep, exec }: DeepReadonly<LifecycleHandler>): number {
  if (sleep !== undefined) return sleep.seconds;
  const command = exec?.command?.join(' ') ?? '';
  let seconds = 0;
  for (const [, count, unit = ''] of command.matchAll(
    /(?<![^\s;&|(/])sleep\s+(\d{1,9}(?:\.\d{1,9})?)([smhd]?)(?![^\s;&|)])/g,
  )) {
    seconds += Number(count) * (SECONDS[unit] ?? 1);
  }
  return seconds;
}
