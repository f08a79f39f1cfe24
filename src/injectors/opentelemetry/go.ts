import type { Container, DeepReadonly } from '../../sdk/index.ts';
import { agentResources, resourcesRefusal } from './agent-resources.ts';
import { GO_TARGET, textOf } from './annotations.ts';
import { configureSdk, type Work } from './common-env.ts';
import type { ContainerPlan } from './container-plan.ts';
import { GO_AGENT } from './default-container.ts';
import type { Language } from './language.ts';
import { endlessJob, isOfJob } from './owners.ts';
import type { Target } from './pod-plan.ts';

const TARGET_EXE = 'OTEL_GO_AUTO_TARGET_EXE';
const KERNEL_DEBUG = { name: 'kernel-debug', path: '/sys/kernel/debug' };

/** Go is instrumented from the outside: a privileged container watches the application's process. */
export const go: Language = {
  name: 'go',
  forInitContainers: false,
  inject(targets, work) {
    const [target] = targets;
    if (target === undefined) return;
    const reason = refusal(targets, work);
    if (reason === undefined) addAgent(target, work);
    else work.subject.problems.push(`go is not injected: ${reason}`);
  },
};

function refusal(targets: readonly Target[], { subject, instrumentation }: Work): string | undefined {
  if (targets.length > 1) return 'its agent watches one container only, but several are named';
  if (subject.pod.spec?.shareProcessNamespace === false) return 'shareProcessNamespace is false';
  const { go, env } = instrumentation.spec;
  const known = [...go.env, ...env].some(({ name }) => name === TARGET_EXE);
  if (known || textOf(subject.podAnnotations, GO_TARGET) !== '') {
    return resourcesRefusal(go.resourceRequirements, subject.pod);
  }
  return `set annotation "${GO_TARGET}" on the Pod to the path of its program`;
}

function addAgent({ container: app }: Target, work: Work): void {
  const { subject, plan, instrumentation } = work;
  const { go, imagePullPolicy } = instrumentation.spec;
  const agent: DeepReadonly<Container> = {
    name: GO_AGENT,
    image: go.image || subject.options.images.go,
    resources: agentResources(go.resourceRequirements, { cpu: '50m', memory: '64Mi' }, subject.pod),
    securityContext: go.securityContext ?? { runAsUser: 0, privileged: true },
    ...(imagePullPolicy && { imagePullPolicy }),
  };
  const container = addBeside(agent, work);
  plan.volume({ name: KERNEL_DEBUG.name, hostPath: { path: KERNEL_DEBUG.path } });
  container.mount({ name: KERNEL_DEBUG.name, mountPath: KERNEL_DEBUG.path });
  plan.shareProcessNamespace();
  const target = textOf(subject.podAnnotations, GO_TARGET);
  if (target !== '') container.env.add({ name: TARGET_EXE, value: target });
  configureSdk(container, app, work, { env: go.env });
}

/** A native sidecar would do everywhere, but only a Job needs one: elsewhere it stands where the operator puts it. */
function addBeside(agent: DeepReadonly<Container>, { subject, plan }: Work): ContainerPlan {
  const isThere = subject.pod.spec?.containers?.some(({ name }) => name === agent.name) ?? false;
  if (!isOfJob(subject)) return plan.sidecar(agent, 'containers');
  if (subject.options.sidecar !== 'container' && !isThere)
    return plan.sidecar({ ...agent, restartPolicy: 'Always' }, 'initContainers');
  subject.hints.push(endlessJob(agent.name));
  return plan.sidecar(agent, 'containers');
}
