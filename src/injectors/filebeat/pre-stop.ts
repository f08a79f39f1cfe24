import {
  type Container,
  type DeepReadonly,
  type LifecycleHandler,
  type Pod,
  quoted,
} from '../../sdk/index.ts';

/** The API server's default for terminationGracePeriodSeconds. */
const DEFAULT_GRACE = 30;

/** The wanted hook, and the minimum time it takes. */
export interface PreStop {
  readonly lifecycle: { readonly preStop: DeepReadonly<LifecycleHandler> };
  readonly preStopSeconds: number;
}

/** Problems with how the sidecar will be stopped. A hook that it already has replaces the wanted one. */
export function preStopWarnings(
  pod: DeepReadonly<Pod>,
  sidecar: DeepReadonly<Container>,
  { lifecycle: { preStop: wanted }, preStopSeconds }: PreStop,
): string[] {
  const hook = sidecar.lifecycle?.preStop ?? wanted;
  const warnings: string[] = [];
  const sleep = hook === wanted ? preStopSeconds : sleepSeconds(hook);
  const grace = pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;
  if (grace < sleep) {
    warnings.push(
      `filebeat: terminationGracePeriodSeconds is ${grace}, less than the preStop sleep of ${sleep} seconds: Filebeat will be killed before the sleep ends`,
    );
  }
  const port = hook.httpGet?.port;
  if (typeof port === 'string' && !sidecar.ports?.some(({ name }) => name === port)) {
    warnings.push(
      `filebeat: the preStop hook calls port ${quoted(port)}, which the sidecar does not declare: use the port number`,
    );
  }
  return warnings;
}

const SECONDS: { readonly [unit: string]: number } = { '': 1, s: 1, m: 60, h: 3600, d: 86400 };

/** The minimum time a hook takes: the sum of every `sleep 15` in its command. */
export function sleepSeconds({ sleep, exec }: DeepReadonly<LifecycleHandler>): number {
  if (sleep !== undefined) return sleep.seconds;
  // Before validation the container's own command may be anything.
  const command = Array.isArray(exec?.command) ? exec.command.join(' ') : '';
  let seconds = 0;
  for (const [, count, unit = ''] of command.matchAll(
    /(?<![^\s;&|(/])sleep\s+(\d{1,9}(?:\.\d{1,9})?)([smhd]?)(?![^\s;&|)])/g,
  )) {
    seconds += Number(count) * (SECONDS[unit] ?? 1);
  }
  return seconds;
}
