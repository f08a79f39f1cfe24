import { type Container, type DeepReadonly, quoted, withoutShared } from '../../../sdk/index.ts';
import { CONTAINER_NAMES, containerNamesKey, GO_TARGET } from '../annotations.ts';
import { prepareSdk } from '../environment/prepare-sdk.ts';
import type { Injection, Language } from '../injection.ts';
import type { Options } from '../options.ts';
import { endlessJobWarning, isOwnedByJob } from '../owners.ts';
import type { ContainerPlan, Target } from '../plan/pod-plan.ts';
import type { Instrumentation } from '../resources/instrumentation.ts';
import { GO_AGENT } from '../targets.ts';
import { agentResources, resourcesProblem } from './agent-resources.ts';

const TARGET_EXE = 'OTEL_GO_AUTO_TARGET_EXE';
const KERNEL_DEBUG = { name: 'kernel-debug', path: '/sys/kernel/debug' };

/** Go is instrumented by a privileged container that observes the application's process. */
export const go: Language = {
  supportsInitContainers: false,
  prepare(instrumentation, options) {
    const agent = prepareAgent(instrumentation, options);
    return (targets, injection) => {
      const [target] = targets;
      if (target === undefined) return;
      const problem = problemOf(targets, instrumentation, injection);
      if (problem !== undefined) {
        injection.problems.push(`cannot inject go: ${problem}`);
        return;
      }
      addAgent(target, agent, injection);
      // The list may be meant for other languages too.
      if (targets.length > 1) {
        injection.advice.push(
          `go: only container ${quoted(target.container.name)} is instrumented, because the agent supports one: set annotation "${containerNamesKey('go')}" for another`,
        );
      }
    };
  },
};

function problemOf(
  targets: readonly Target[],
  instrumentation: Instrumentation,
  { pod, podAnnotations, options }: Injection,
): string | undefined {
  const key = options.multiInstrumentation ? containerNamesKey('go') : CONTAINER_NAMES;
  if (targets.length > 1 && podAnnotations[key])
    return `the agent supports one container, annotation "${key}" names ${targets.length}`;
  if (pod.spec?.shareProcessNamespace === false) return 'shareProcessNamespace is false';
  const { go, env } = instrumentation.spec;
  const target = [...go.env, ...env].find(({ name }) => name === TARGET_EXE);
  if (podAnnotations[GO_TARGET] || target?.value || target?.valueFrom)
    return resourcesProblem(go.resourceRequirements, pod);
  return `missing annotation "${GO_TARGET}": set it on the Pod to the path of the executable`;
}

/** Everything about the agent that is the same for all Pods. */
function prepareAgent(instrumentation: Instrumentation, options: Options) {
  const { spec } = instrumentation;
  const { go, imagePullPolicy } = spec;
  const requests = { cpu: '50m', memory: '64Mi' };
  const container = {
    name: GO_AGENT,
    image: go.image || options.images.go,
    resources: agentResources('go', go.resourceRequirements, requests, instrumentation, options),
    securityContext: go.securityContext ?? { runAsUser: 0, privileged: true },
    ...(imagePullPolicy && { imagePullPolicy }),
  };
  return { container, sdk: prepareSdk(spec, { env: go.env }) };
}

function addAgent(
  { container: app }: Target,
  agent: ReturnType<typeof prepareAgent>,
  injection: Injection,
): void {
  const { pod, podAnnotations, plan } = injection;
  const resources = withoutShared(agent.container.resources, pod);
  const container = addContainer({ ...agent.container, resources }, injection);
  plan.volume({ name: KERNEL_DEBUG.name, hostPath: { path: KERNEL_DEBUG.path } });
  container.mount({ name: KERNEL_DEBUG.name, mountPath: KERNEL_DEBUG.path });
  plan.shareProcessNamespace();
  const executable = podAnnotations[GO_TARGET];
  if (executable) container.env.add({ name: TARGET_EXE, value: executable });
  agent.sdk.start(injection)(container, app);
}

/** Only a Job needs a native sidecar. Elsewhere the agent is an ordinary container, as with the operator. */
function addContainer(agent: DeepReadonly<Container>, injection: Injection): ContainerPlan {
  const { pod, plan, owners, options, advice } = injection;
  if (!isOwnedByJob(owners)) return plan.container(agent, 'containers');
  const exists = pod.spec?.containers?.some(({ name }) => name === agent.name) ?? false;
  if (options.sidecar !== 'container' && !exists)
    return plan.container({ ...agent, restartPolicy: 'Always' }, 'initContainers');
  advice.push(endlessJobWarning(agent.name));
  return plan.container(agent, 'containers');
}
