import { sameJson } from '../../json/same-json.ts';
import { stable } from '../../json/stable.ts';
import { asJson } from '../../kube/kube-object.ts';
import type { Container, DeepReadonly, ResourceRequirements, SecurityContext } from '../../sdk/index.ts';
import { agentResources, resourcesRefusal } from './agent-resources.ts';
import { agentVolume } from './agent-volume.ts';
import { configureSdk, type Work } from './common-env.ts';
import { type Env, type EnvPlan, planEnv } from './env-plan.ts';
import type { InstrumentationSpec } from './instrumentation.ts';
import type { Language } from './language.ts';
import { obstacle } from './obstacle.ts';
import type { Target } from './pod-plan.ts';
import { preparedFor } from './prepared.ts';

type CopiedName = 'java' | 'nodejs' | 'python' | 'dotnet';

/** What tells one copied agent from another. */
export interface CopiedAgent {
  readonly name: CopiedName;
  /** Of the default requests. */
  readonly memory: string;
  /** Variables that are lengthened, and so must be plain text. */
  readonly lengthened: readonly string[];
  /** Why the Pod cannot have it. */
  refusal?(work: Work): string | undefined;
  /** Why a container cannot have it. */
  containerRefusal?(env: readonly Env[]): string | undefined;
  /** What the init container runs to fill the volume, mounted at `folder`. */
  command(folder: string, work: Work): readonly string[];
  /** Where the container finds it. */
  mountPath(container: string): string;
  /** Right after the language's own variables. */
  paths?(env: EnvPlan, mountPath: string): void;
  /** After the variables that all languages share. */
  options?(env: EnvPlan, mountPath: string, work: Work): void;
  /** More init containers, after the first: in what they differ from it. */
  more?(folder: string, work: Work): readonly DeepReadonly<Container>[];
}

/** A language whose agent an init container copies from an image into a volume that the containers mount. */
export function copiedAgent(agent: CopiedAgent): Language {
  const { name } = agent;
  return {
    name,
    forInitContainers: true,
    inject(candidates, work) {
      const { problems } = work.subject;
      const wanted = wantedResources(work.instrumentation.spec[name]);
      const refusal = resourcesRefusal(wanted, work.subject.pod) ?? agent.refusal?.(work);
      if (refusal !== undefined) {
        problems.push(`${name} is not injected: ${refusal}`);
        return;
      }
      const targets = candidates.filter((target) => isPossible(target, agent, work));
      const [first] = targets;
      if (first === undefined) return;
      for (const target of targets) instrument(target, agent, work);
      addAgent(first, agent, work);
    },
  };
}

function isPossible(target: Target, agent: CopiedAgent, work: Work): boolean {
  const { env = [] } = target.container;
  const { spec } = work.instrumentation;
  const { env: own } = spec[agent.name];
  // A path is set before the entries that all languages share, which then no longer count.
  const planned = agent.paths === undefined ? [...own, ...spec.env] : own;
  const reason = obstacle(env, agent.lengthened, planned) ?? agent.containerRefusal?.(env);
  if (reason === undefined) return true;
  work.subject.problems.push(
    `${agent.name} is not injected into container "${target.container.name}": ${reason}`,
  );
  return false;
}

function instrument(target: Target, agent: CopiedAgent, work: Work): void {
  const { container } = target;
  const plan = work.plan.target(target);
  const mountPath = agent.mountPath(container.name);
  hintAtEnvFrom(container, agent, work);
  plan.mount({ name: volumeName(agent.name), mountPath });
  configureSdk(plan, container, work, {
    env: work.instrumentation.spec[agent.name].env,
    paths: (env) => agent.paths?.(env, mountPath),
    options: (env) => agent.options?.(env, mountPath, work),
  });
}

/** `env` outdoes `envFrom`, and what is in there cannot be seen from here. */
function hintAtEnvFrom(container: DeepReadonly<Container>, agent: CopiedAgent, work: Work): void {
  const { env = [], envFrom = [] } = container;
  if (envFrom.length === 0) return;
  const { spec } = work.instrumentation;
  const ours = planEnv([]);
  const mountPath = agent.mountPath(container.name);
  for (const entry of spec[agent.name].env) ours.add(entry);
  agent.paths?.(ours, mountPath);
  for (const entry of spec.env) ours.add(entry);
  agent.options?.(ours, mountPath, work);
  // On a second call what the container has is what we gave it on the first.
  const hidden = agent.lengthened.filter((name) => {
    const own = env.findLast((entry) => entry.name === name);
    return own === undefined || own.value === ours.get(name)?.value;
  });
  const sources = envFrom
    .filter(({ prefix = '' }) => hidden.some((name) => name.startsWith(prefix)))
    .map(({ configMapRef, secretRef }) => `"${configMapRef?.name ?? secretRef?.name ?? ''}"`);
  if (sources.length === 0) return;
  work.subject.hints.push(
    `container "${container.name}": if ${hidden.join(', ')} comes from ${sources.join(' or ')} (envFrom), it no longer counts: set it in env instead`,
  );
}

function addAgent(first: Target, agent: CopiedAgent, work: Work): void {
  const { spec } = work.instrumentation;
  const section = spec[agent.name];
  const prepared = preparedFor(spec);
  const name = volumeName(agent.name);
  const before = first.place === 'initContainers' ? first.container.name : undefined;
  work.plan.volume(prepared.volumes(name, () => stable(agentVolume(name, section))));
  const securityContext = spec.initContainerSecurityContext ?? first.container.securityContext;
  const base = () => initContainer(name, securityContext, agent, work);
  const image = section.image || work.subject.options.images[agent.name];
  const command = agent.command(folderOf(agent), work);
  const copy = () => {
    const shared = work.subject.pod.spec?.resources ?? null;
    const causes = asJson({ image, command, securityContext: securityContext ?? null, shared });
    const known = prepared.initContainers.get(name);
    if (known !== undefined && sameJson(known.causes, causes)) return known.container;
    const { imagePullPolicy } = spec;
    const container = stable({ ...base(), image, command, ...(imagePullPolicy && { imagePullPolicy }) });
    prepared.initContainers.set(name, { causes, container });
    return container;
  };
  work.plan.initContainer(name, copy, before);
  for (const { name, ...fields } of agent.more?.(folderOf(agent), work) ?? []) {
    work.plan.initContainer(name, () => ({ ...base(), ...fields, name }), before);
  }
}

/** What all init containers have that fill the agent's volume. */
function initContainer(
  name: string,
  securityContext: DeepReadonly<SecurityContext> | undefined,
  agent: CopiedAgent,
  { subject, instrumentation: { spec } }: Work,
): DeepReadonly<Container> {
  const requests = { cpu: '50m', memory: agent.memory };
  return {
    name,
    resources: agentResources(wantedResources(spec[agent.name]), requests, subject.pod),
    volumeMounts: [{ name, mountPath: folderOf(agent) }],
    ...(securityContext && { securityContext }),
  };
}

function folderOf({ name }: CopiedAgent): string {
  return `/otel-auto-instrumentation-${name}`;
}

/** Java's key differs from that of the others. */
function wantedResources(
  section: InstrumentationSpec[CopiedName],
): DeepReadonly<ResourceRequirements> | undefined {
  return 'resources' in section
    ? section.resources
    : 'resourceRequirements' in section
      ? section.resourceRequirements
      : undefined;
}

function volumeName(name: CopiedName): string {
  return `opentelemetry-auto-instrumentation-${name}`;
}
