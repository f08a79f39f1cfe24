import type { Container, DeepReadonly, ResourceRequirements } from '../../../sdk/index.ts';
import { configureSdk, sdkMounts } from '../environment/configure-sdk.ts';
import type { Language, LanguageInjection } from '../injection.ts';
import { quoted } from '../message.ts';
import { type Env, type EnvExtension, type EnvPlan, lastOf, valueFromProblem } from '../plan/env-plan.ts';
import { mountProblem } from '../plan/mount-problem.ts';
import type { Target } from '../plan/pod-plan.ts';
import type { InstrumentationSpec } from '../resources/instrumentation.ts';
import { agentResources, agentVolume, resourcesProblem } from './agent-resources.ts';

/** How an Instrumentation configures an agent. */
export interface CopiedAgent {
  readonly name: 'java' | 'nodejs' | 'python' | 'dotnet';
  readonly section: InstrumentationSpec['java' | 'nodejs'];
  readonly resources: DeepReadonly<ResourceRequirements> | undefined;
  /** The default memory request of the init container. */
  readonly memory: string;
  /** Why the Pod cannot be instrumented. */
  readonly problem?: string | undefined;
  /** Where the init containers mount the volume. */
  readonly folder: string;
  readonly copyCommand: readonly string[];
  /** Further init containers, without the fields that they share with the first one. */
  readonly moreInitContainers?: readonly DeepReadonly<Container>[];
  /** Where an instrumented container mounts the volume; the same folder by default. */
  mountPath?(container: string): string;
  /** Variables that precede the `env` that all languages share. */
  readonly paths?: readonly EnvExtension[];
  /** Variables that follow it. */
  options(mountPath: string): readonly (Env | EnvExtension)[];
  /** Why a container with this environment cannot be instrumented. */
  containerProblem?(env: readonly Env[]): string | undefined;
  /** Advice about the resulting environment. */
  advice?(env: EnvPlan): string | undefined;
}

/** A language whose agent is copied by an init container into a volume that instrumented containers mount. */
export function copiedAgent(describe: (injection: LanguageInjection) => CopiedAgent): Language {
  return {
    supportsInitContainers: true,
    inject(candidates, injection) {
      const agent = describe(injection);
      const problem = resourcesProblem(agent.resources, injection.pod) ?? agent.problem;
      if (problem !== undefined) {
        injection.problems.push(`cannot inject ${agent.name}: ${problem}`);
        return;
      }
      const [first] = candidates.filter((target) => instrument(target, agent, injection));
      if (first !== undefined) addAgent(first, agent, injection);
    },
  };
}

/** Returns whether the container can be instrumented. */
function instrument(target: Target, agent: CopiedAgent, injection: LanguageInjection): boolean {
  const { container } = target;
  const { folder, paths = [] } = agent;
  const { env } = agent.section;
  const mountPath = agent.mountPath?.(container.name) ?? folder;
  const options = agent.options(mountPath);
  const shared = [...env, ...injection.instrumentation.spec.env];
  const extensions = [
    ...paths.map((path) => ({ ...path, planned: env })),
    ...options.filter((option) => 'extend' in option).map((option) => ({ ...option, planned: shared })),
  ];
  const mount = { name: volumeOf(agent), mountPath };
  const problem =
    problemOf(container.env ?? [], extensions, agent) ??
    mountProblem(container, [mount, ...sdkMounts(injection)]);
  if (problem !== undefined) {
    injection.problems.push(
      `cannot inject ${agent.name} into container ${quoted(container.name)}: ${problem}`,
    );
    return false;
  }
  const plan = injection.plan.target(target);
  plan.mount(mount);
  configureSdk(plan, container, injection, { env, paths, options });
  const advice = [envFromAdvice(container, extensions), agent.advice?.(plan.env)];
  injection.advice.push(...advice.filter((text) => text !== undefined));
  return true;
}

interface Extension extends EnvExtension {
  /** The entries of the Instrumentation that precede it. */
  readonly planned: readonly Env[];
}

function problemOf(
  env: readonly Env[],
  extensions: readonly Extension[],
  agent: CopiedAgent,
): string | undefined {
  for (const { name, planned } of extensions) {
    const problem = valueFromProblem(name, env, planned);
    if (problem !== undefined) return problem;
  }
  return agent.containerProblem?.(env);
}

/** `env` overrides `envFrom`, whose variables are unknown here. */
function envFromAdvice(
  { name: containerName, env, envFrom }: DeepReadonly<Container>,
  extensions: readonly Extension[],
): string | undefined {
  if (!envFrom?.length) return undefined;
  const overriding = extensions.filter(({ name, extend, planned }) => {
    const own = lastOf(env ?? [], name);
    // On a second call the container has the value that was added by the first.
    const added = extend(planned.find((entry) => entry.name === name)?.value ?? '');
    return own === undefined || own.value === added;
  });
  const names = overriding.map(({ name }) => name);
  const sources = envFrom
    .filter(({ prefix = '' }) => names.some((name) => name.startsWith(prefix)))
    .slice(0, 5)
    .map(({ configMapRef, secretRef }) => quoted(configMapRef?.name ?? secretRef?.name ?? ''));
  if (sources.length === 0) return undefined;
  return `container ${quoted(containerName)}: ${names.join(', ')} from ${sources.join(' or ')} (envFrom) would be overridden: set it in env instead`;
}

function addAgent({ container, list }: Target, agent: CopiedAgent, injection: LanguageInjection): void {
  const { plan, options } = injection;
  const { imagePullPolicy, initContainerSecurityContext } = injection.instrumentation.spec;
  const name = volumeOf(agent);
  plan.volume(agentVolume(name, agent.section));
  const securityContext = initContainerSecurityContext ?? container.securityContext;
  const shared = {
    name,
    resources: agentResources(agent.name, agent.resources, { cpu: '50m', memory: agent.memory }, injection),
    volumeMounts: [{ name, mountPath: agent.folder }],
    ...(securityContext && { securityContext }),
  };
  const copy = {
    ...shared,
    image: agent.section.image || options.images[agent.name],
    command: agent.copyCommand,
    ...(imagePullPolicy && { imagePullPolicy }),
  };
  const before = list === 'initContainers' ? container.name : undefined;
  plan.initContainer(copy, before);
  for (const more of agent.moreInitContainers ?? []) plan.initContainer({ ...shared, ...more }, before);
}

function volumeOf({ name }: CopiedAgent): string {
  return `opentelemetry-auto-instrumentation-${name}`;
}
