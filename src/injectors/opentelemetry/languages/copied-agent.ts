import {
  type Container,
  type DeepReadonly,
  quoted,
  type ResourceRequirements,
  withoutShared,
} from '../../../sdk/index.ts';
import { type Configure, prepareSdk } from '../environment/prepare-sdk.ts';
import { annotation, type Injection, type Language } from '../injection.ts';
import type { Options } from '../options.ts';
import { lastOf } from '../plan/by-name.ts';
import { type Env, type EnvExtension, type EnvPlan, valueFromProblem } from '../plan/env-plan.ts';
import { mountProblem } from '../plan/mount-problem.ts';
import type { Target } from '../plan/pod-plan.ts';
import type { Instrumentation, InstrumentationSpec } from '../resources/instrumentation.ts';
import { agentResources, agentVolume, resourcesProblem } from './agent-resources.ts';

/** How an Instrumentation configures an agent. */
export interface CopiedAgent {
  readonly name: 'java' | 'nodejs' | 'python' | 'dotnet';
  readonly section: InstrumentationSpec['java' | 'nodejs'];
  readonly resources: DeepReadonly<ResourceRequirements> | undefined;
  /** The default memory request of the init container. */
  readonly memory: string;
  /** Why no Pod can be instrumented. */
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
  readonly options: readonly (Env | EnvExtension)[];
  /** Why a container with this environment cannot be instrumented. */
  containerProblem?(env: readonly Env[]): string | undefined;
  /** Advice about the resulting environment. */
  advice?(env: EnvPlan): string | undefined;
}

/** The platforms that an annotation selects, each with its folder in the image. The first one is the default. */
interface Platforms {
  readonly annotation: string;
  readonly folders: Readonly<Record<string, string>>;
}

/** A language whose agent is copied by an init container into a volume that instrumented containers mount. */
export function copiedAgent(
  describe: (instrumentation: Instrumentation, platformFolder: string) => CopiedAgent,
  platforms?: Platforms,
): Language {
  const folders = platforms?.folders ?? {};
  return {
    supportsInitContainers: true,
    prepare(instrumentation, options) {
      const prepared = (folder: string) =>
        prepareAgent(describe(instrumentation, folder), instrumentation, options);
      const usual = prepared(Object.values(folders)[0] ?? '');
      const agents = new Map([['', usual]]);
      for (const [platform, folder] of Object.entries(folders)) agents.set(platform, prepared(folder));
      return (candidates, injection) => {
        const platform = platforms === undefined ? '' : annotation(injection, platforms.annotation);
        const agent = agents.get(platform);
        const problem =
          resourcesProblem(usual.resources, injection.pod) ??
          (agent === undefined ? platformProblem(platform, platforms) : agent.problem);
        if (agent === undefined || problem !== undefined) {
          injection.problems.push(`cannot inject ${usual.name}: ${problem}`);
          return;
        }
        const configure = agent.sdk.start(injection);
        const [first] = candidates.filter((target) => instrument(target, agent, configure, injection));
        if (first !== undefined) addAgent(first, agent, injection);
      };
    },
  };
}

function platformProblem(platform: string, platforms?: Platforms): string {
  const names = Object.keys(platforms?.folders ?? {});
  return `annotation "${platforms?.annotation}" is ${quoted(platform)}, expected ${names.join(' or ')}`;
}

type PreparedAgent = ReturnType<typeof prepareAgent>;

/** Adds everything else that is the same for all Pods. */
function prepareAgent(agent: CopiedAgent, instrumentation: Instrumentation, configuration: Options) {
  const { section, folder, paths = [], options } = agent;
  const { spec } = instrumentation;
  const { imagePullPolicy } = spec;
  const name = `opentelemetry-auto-instrumentation-${agent.name}`;
  const requests = { cpu: '50m', memory: agent.memory };
  const mount = { name, mountPath: folder };
  const resources = agentResources(agent.name, agent.resources, requests, instrumentation, configuration);
  const copy = {
    name,
    image: section.image || configuration.images[agent.name],
    command: agent.copyCommand,
    ...(imagePullPolicy && { imagePullPolicy }),
  };
  const extension = (entry: EnvExtension, preceding: readonly Env[]): Extension => ({
    ...entry,
    planned: preceding.find((candidate) => candidate.name === entry.name),
  });
  return {
    ...agent,
    volume: agentVolume(name, section),
    mount,
    initContainers: [copy, ...(agent.moreInitContainers ?? [])].map(({ name, ...container }) => ({
      name,
      resources,
      volumeMounts: [mount],
      ...container,
    })),
    initContainerSecurityContext: spec.initContainerSecurityContext,
    extensions: [
      ...paths.map((entry) => extension(entry, section.env)),
      ...options
        .filter((entry) => 'extend' in entry)
        .map((entry) => extension(entry, [...section.env, ...spec.env])),
    ],
    sdk: prepareSdk(spec, { env: section.env, paths, options }),
  };
}

interface Extension extends EnvExtension {
  /** The entry of the Instrumentation that it extends if the container has none. */
  readonly planned: Env | undefined;
}

/** Returns whether the container can be instrumented. */
function instrument(
  target: Target,
  agent: PreparedAgent,
  configure: Configure,
  injection: Injection,
): boolean {
  const { container } = target;
  const { sdk, extensions } = agent;
  const mount = agent.mountPath
    ? { name: agent.mount.name, mountPath: agent.mountPath(container.name) }
    : agent.mount;
  const problem = envProblem(container.env ?? [], agent) ?? mountProblem(container, [mount, ...sdk.mounts]);
  if (problem !== undefined) {
    injection.problems.push(
      `cannot inject ${agent.name} into container ${quoted(container.name)}: ${problem}`,
    );
    return false;
  }
  const plan = injection.plan.target(target);
  plan.mount(mount);
  configure(plan, container);
  for (const advice of [envFromAdvice(container, extensions), agent.advice?.(plan.env)]) {
    if (advice !== undefined) injection.advice.push(advice);
  }
  return true;
}

function envProblem(env: readonly Env[], agent: PreparedAgent): string | undefined {
  for (const { name, planned } of agent.extensions) {
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
    const added = extend(planned?.value ?? '', containerName);
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

function addAgent({ container, list }: Target, agent: PreparedAgent, { plan, pod }: Injection): void {
  plan.volume(agent.volume);
  const securityContext = agent.initContainerSecurityContext ?? container.securityContext;
  const before = list === 'initContainers' ? container.name : undefined;
  for (const initContainer of agent.initContainers) {
    const resources = withoutShared(initContainer.resources, pod);
    const isSame = resources === initContainer.resources;
    plan.initContainer(isSame ? initContainer : { ...initContainer, resources }, { securityContext, before });
  }
}
