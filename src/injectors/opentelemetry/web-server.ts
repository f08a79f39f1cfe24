import type { Container, DeepReadonly, VolumeMount } from '../../sdk/index.ts';
import { agentResources, resourcesRefusal } from './agent-resources.ts';
import { configureSdk, fieldRef, type LanguageEnv, type Work } from './common-env.ts';
import { type Env, lastOf } from './env-plan.ts';
import type { InstrumentationSpec } from './instrumentation.ts';
import type { Language } from './language.ts';
import type { PodPlan, Target } from './pod-plan.ts';
import { AGENT_FOLDER, SOURCE_CONF } from './web-server-paths.ts';
import { type ModuleSettings, moduleSettings } from './web-server-settings.ts';

type Section = InstrumentationSpec['apacheHttpd'] | InstrumentationSpec['nginx'];

/** What tells one web server from another. */
export interface WebServer {
  readonly name: 'apache-httpd' | 'nginx';
  /** Of its volumes and of the init container that attaches the module. */
  readonly short: 'apache' | 'nginx';
  section(spec: InstrumentationSpec): Section;
  /** The folder that holds the server's configuration. */
  confFolder(spec: InstrumentationSpec): string;
  cloneName(work: Work): string;
  /** Copies the server's configuration into the volume. */
  cloneCommand(spec: InstrumentationSpec): readonly string[];
  /** Puts the module into the copied configuration. */
  readonly attachScript: string;
  readonly attachArguments: (spec: InstrumentationSpec) => readonly string[];
  /** Variables of the init container that attaches. */
  readonly instanceVariable: string;
  readonly confVariable: string;
  conf(settings: ModuleSettings, spec: InstrumentationSpec): string;
  volumes(plan: PodPlan, names: { agent: string; conf: string }, spec: InstrumentationSpec): void;
  refusal?(target: Target, work: Work): string | undefined;
  /** For the container that has the module. */
  readonly paths?: LanguageEnv['paths'];
}

/**
 * A web server loads a module that its own configuration has to name: one init container clones that configuration from
 * the application's image, a second one adds the module to the clone, which is then mounted in place of the original.
 */
export function webServer(server: WebServer): Language {
  return {
    name: server.name,
    forInitContainers: false,
    inject(candidates, work) {
      const targets = candidates.filter((target) => {
        const reason = sectionRefusal(server, work) ?? server.refusal?.(target, work);
        if (reason === undefined) return true;
        work.subject.problems.push(
          `${server.name} is not injected into container "${target.container.name}": ${reason}`,
        );
        return false;
      });
      const { env } = server.section(work.instrumentation.spec);
      const { paths } = server;
      // On a second call one may stand before that which has the clone of its own configuration.
      const chosen = targets.find((target) => hasClone(target, server)) ?? targets[0];
      for (const target of targets) {
        const isAttached = target === chosen;
        if (isAttached) attach(target, server, work);
        else work.subject.hints.push(environmentOnly(target, server));
        const language = isAttached && paths ? { env, paths } : { env };
        configureSdk(work.plan.target(target), target.container, work, language);
      }
    },
  };
}

function sectionRefusal(server: WebServer, { subject, instrumentation }: Work): string | undefined {
  const { resourceRequirements } = server.section(instrumentation.spec);
  const folder = server.confFolder(instrumentation.spec);
  // The clone is mounted there, which the kubelet can do below the root only.
  if (/^\/./.test(folder)) return resourcesRefusal(resourceRequirements, subject.pod);
  return `Instrumentation "${instrumentation.name}" has its configuration in "${folder}", expected a folder such as /etc/nginx`;
}

/** The clone is of one container's configuration. */
function environmentOnly({ container }: Target, { name }: WebServer): string {
  return `${name}: container "${container.name}" gets its environment only, since one server of a Pod can have the module`;
}

function volumesOf({ short }: WebServer): { agent: string; conf: string } {
  return { agent: `otel-${short}-agent`, conf: `otel-${short}-conf-dir` };
}

function hasClone({ container }: Target, server: WebServer): boolean {
  return container.volumeMounts?.some(({ name }) => name === volumesOf(server).conf) ?? false;
}

function attach({ container: app, place }: Target, server: WebServer, work: Work): void {
  const { plan, instrumentation } = work;
  const { spec } = instrumentation;
  const names = volumesOf(server);
  const folder = server.confFolder(spec);
  const target = plan.target({ container: app, place });
  for (const { name, mountPath } of app.volumeMounts ?? []) {
    if (name !== names.conf && isWithin(mountPath, folder)) target.unmount(mountPath);
  }
  target.mount({ name: names.agent, mountPath: AGENT_FOLDER });
  target.mount({ name: names.conf, mountPath: folder });
  server.volumes(plan, names, spec);
  plan.initContainer(server.cloneName(work), () => clone(app, names.conf, server, work));
  plan.initContainer(attachName(server), () => attacher(app, names, server, work));
}

/** What is mounted there is in the clone; left in place it would hide the clone again. */
function isWithin(mountPath: string, folder: string): boolean {
  const path = mountPath.replace(/\/+$/, '');
  return path === folder || path.startsWith(`${folder}/`);
}

function clone(
  app: DeepReadonly<Container>,
  confVolume: string,
  server: WebServer,
  work: Work,
): DeepReadonly<Container> {
  const { spec } = work.instrumentation;
  const { image, imagePullPolicy, env: own = [], envFrom, volumeMounts = [] } = app;
  const env = [...own, ...server.section(spec).env.filter(({ name }) => lastOf(own, name) === undefined)];
  const mounts: DeepReadonly<VolumeMount>[] = [...volumeMounts, { name: confVolume, mountPath: SOURCE_CONF }];
  return {
    ...initContainer(server.cloneName(work), app, server, work),
    command: server.cloneCommand(spec),
    volumeMounts: mounts,
    ...(image && { image }),
    ...(imagePullPolicy && { imagePullPolicy }),
    ...(env.length > 0 && { env }),
    ...(envFrom && { envFrom }),
  };
}

function attacher(
  app: DeepReadonly<Container>,
  volumes: { agent: string; conf: string },
  server: WebServer,
  work: Work,
): DeepReadonly<Container> {
  const { spec } = work.instrumentation;
  const section = server.section(spec);
  return {
    ...initContainer(attachName(server), app, server, work),
    image: section.image || work.subject.options.images[server.name],
    command: ['/bin/sh', '-c'],
    args: [server.attachScript, '--', ...server.attachArguments(spec)],
    env: attachEnv(app, server, work),
    volumeMounts: [
      { name: volumes.agent, mountPath: AGENT_FOLDER },
      { name: volumes.conf, mountPath: SOURCE_CONF },
    ],
    ...(spec.imagePullPolicy && { imagePullPolicy: spec.imagePullPolicy }),
  };
}

function attachName({ short }: WebServer): string {
  return `otel-agent-attach-${short}`;
}

function initContainer(
  name: string,
  app: DeepReadonly<Container>,
  server: WebServer,
  { subject, instrumentation }: Work,
): DeepReadonly<Container> {
  const { spec } = instrumentation;
  const { resourceRequirements } = server.section(spec);
  const securityContext = spec.initContainerSecurityContext ?? app.securityContext;
  return {
    name,
    resources: agentResources(resourceRequirements, { cpu: '1m', memory: '128Mi' }, subject.pod),
    ...(securityContext && { securityContext }),
  };
}

/** The module's settings may refer to variables, which the kubelet fills in: they stand before. */
function attachEnv(app: DeepReadonly<Container>, server: WebServer, work: Work): readonly Env[] {
  const { spec } = work.instrumentation;
  const settings = moduleSettings(app, spec, work.subject);
  const env = new Map<string, Env>();
  for (const entry of [
    ...server.section(spec).env,
    ...spec.env,
    fieldRef('OTEL_POD_IP', 'status.podIP'),
    fieldRef('OTEL_NODE_IP', 'status.hostIP'),
    { name: server.confVariable, value: server.conf(settings, spec) },
    fieldRef(server.instanceVariable, 'metadata.name'),
  ]) {
    if (!env.has(entry.name)) env.set(entry.name, entry);
  }
  return [...env.values()];
}
