import { type Container, type DeepReadonly, quoted, withoutShared } from '../../../sdk/index.ts';
import { NODE_IP, POD_IP, prepareSdk } from '../environment/prepare-sdk.ts';
import { fieldRef, serviceNamespace } from '../environment/resource-attributes.ts';
import type { Injection, Language } from '../injection.ts';
import { withoutTrailingSlashes } from '../object-name.ts';
import type { Options } from '../options.ts';
import type { Env, EnvExtension } from '../plan/env-plan.ts';
import { mountProblem } from '../plan/mount-problem.ts';
import type { NamedVolume, Target } from '../plan/pod-plan.ts';
import type { Instrumentation, InstrumentationSpec } from '../resources/instrumentation.ts';
import { agentResources, resourcesProblem } from './agent-resources.ts';
import { AGENT_FOLDER, INSTANCE_PLACEHOLDER, SOURCE_CONF } from './web-server-scripts.ts';

type App = DeepReadonly<Container>;

/** How an Instrumentation configures a web server. */
export interface WebServer {
  readonly name: 'apache-httpd' | 'nginx';
  readonly section: InstrumentationSpec['apacheHttpd' | 'nginx'];
  readonly confFolder: string;
  readonly agentVolume: NamedVolume;
  readonly confVolume: NamedVolume;
  /** The init container that copies the server's configuration into the volume. */
  readonly clone: { readonly command: readonly string[]; name(injection: Injection): string };
  /** The init container that adds the module to the copy, and the names of its variables. */
  readonly attach: {
    readonly name: string;
    readonly args: readonly string[];
    readonly confVariable: string;
    readonly instanceVariable: string;
  };
  /** The module's configuration: the lines before the settings, and the syntax of a setting. */
  readonly conf: { readonly header: readonly string[]; readonly prefix: string; readonly end: string };
  /** Variables of the container that loads the module. */
  readonly paths: readonly EnvExtension[];
  containerProblem?(target: Target, injection: Injection): string | undefined;
}

/**
 * A web server loads a module that its configuration has to name. One init container copies the configuration from the application's
 * image, a second one adds the module to the copy, and the copy is mounted in place of the original.
 */
export function webServer(describe: (spec: InstrumentationSpec) => WebServer): Language {
  return {
    supportsInitContainers: false,
    prepare(instrumentation, options) {
      const server = prepareServer(describe(instrumentation.spec), instrumentation, options);
      return (candidates, injection) => {
        const targets = candidates.filter((target) => canInstrument(target, server, injection));
        const configure = server.sdk.start(injection);
        const configureAttached = server.attachedSdk.start(injection);
        const attached = targets.find((target) => hasCopy(target, server)) ?? targets[0];
        for (const target of targets) {
          const { container } = target;
          const isAttached = target === attached;
          if (isAttached) attach(target, server, injection);
          else {
            injection.advice.push(
              `${server.name}: container ${quoted(container.name)} gets environment variables only, because only one server per Pod can load the module`,
            );
          }
          const plan = injection.plan.target(target);
          if (isAttached) configureAttached(plan, container);
          else configure(plan, container);
        }
      };
    },
  };
}

type PreparedServer = ReturnType<typeof prepareServer>;

/** Adds everything else that is the same for all Pods. */
function prepareServer(server: WebServer, instrumentation: Instrumentation, options: Options) {
  const { name, section, paths } = server;
  const { env, resourceRequirements } = section;
  const requests = { cpu: '1m', memory: '128Mi' };
  return {
    ...server,
    instrumentation,
    image: section.image || options.images[name],
    resources: agentResources(name, resourceRequirements, requests, instrumentation, options),
    sdk: prepareSdk(instrumentation.spec, { env }),
    attachedSdk: prepareSdk(instrumentation.spec, { env, paths }),
  };
}

function canInstrument(target: Target, server: PreparedServer, injection: Injection): boolean {
  const { pod, problems } = injection;
  // The copy is mounted there, and the kubelet cannot mount a volume at the root.
  const { container } = target;
  const agentMount = { name: server.agentVolume.name, mountPath: AGENT_FOLDER };
  const problem = /^\/./.test(server.confFolder)
    ? (resourcesProblem(server.section.resourceRequirements, pod) ??
      server.containerProblem?.(target, injection) ??
      mountProblem(container, [agentMount, ...server.sdk.mounts]))
    : `Instrumentation "${server.instrumentation.name}" sets configuration folder "${server.confFolder}", expected a folder such as /etc/nginx`;
  if (problem === undefined) return true;
  problems.push(`cannot inject ${server.name} into container ${quoted(container.name)}: ${problem}`);
  return false;
}

/** Whether an earlier call attached the module to this container. Another one may precede it by now. */
function hasCopy({ container }: Target, { confVolume }: WebServer): boolean {
  return container.volumeMounts?.some(({ name }) => name === confVolume.name) ?? false;
}

function attach(target: Target, server: PreparedServer, injection: Injection): void {
  const { container: app } = target;
  const { section, confFolder, agentVolume, confVolume } = server;
  const { plan, pod } = injection;
  const { imagePullPolicy, initContainerSecurityContext } = server.instrumentation.spec;
  const container = plan.target(target);
  // The copy includes mounted files, which would hide it if they stayed.
  for (const { name, mountPath } of app.volumeMounts ?? []) {
    const isWithin = `${withoutTrailingSlashes(mountPath)}/`.startsWith(`${confFolder}/`);
    if (isWithin && name !== confVolume.name) container.unmount(mountPath);
  }
  container.mount({ name: agentVolume.name, mountPath: AGENT_FOLDER });
  container.mount({ name: confVolume.name, mountPath: confFolder });
  plan.volume(confVolume);
  plan.volume(agentVolume);
  const securityContext = initContainerSecurityContext ?? app.securityContext;
  const shared = {
    resources: withoutShared(server.resources, pod),
    ...(securityContext && { securityContext }),
  };
  const confMount = { name: confVolume.name, mountPath: SOURCE_CONF };
  const own = app.env ?? [];
  const ownNames = new Set(own.map(({ name }) => name));
  const cloneEnv = [...own, ...section.env.filter(({ name }) => !ownNames.has(name))];
  plan.initContainer({
    name: server.clone.name(injection),
    ...shared,
    command: server.clone.command,
    volumeMounts: [...(app.volumeMounts ?? []), confMount],
    ...(app.image && { image: app.image }),
    ...(app.imagePullPolicy && { imagePullPolicy: app.imagePullPolicy }),
    ...(cloneEnv.length > 0 && { env: cloneEnv }),
    ...(app.envFrom && { envFrom: app.envFrom }),
  });
  plan.initContainer({
    name: server.attach.name,
    ...shared,
    image: server.image,
    command: ['/bin/sh', '-c'],
    args: server.attach.args,
    env: attachEnv(app, server, injection),
    volumeMounts: [{ name: agentVolume.name, mountPath: AGENT_FOLDER }, confMount],
    ...(imagePullPolicy && { imagePullPolicy }),
  });
}

function attachEnv(app: App, server: PreparedServer, injection: Injection): readonly Env[] {
  const { confVariable, instanceVariable } = server.attach;
  const env = new Map<string, Env>();
  for (const entry of [
    ...server.section.env,
    ...server.instrumentation.spec.env,
    POD_IP,
    NODE_IP,
    // May refer to other variables, which therefore precede it.
    { name: confVariable, value: moduleConf(app, server, injection) },
    fieldRef(instanceVariable, 'metadata.name'),
  ]) {
    if (!env.has(entry.name)) env.set(entry.name, entry);
  }
  return [...env.values()];
}

/** The module's configuration. Attributes of the Instrumentation override the generated settings. */
function moduleConf(app: App, server: PreparedServer, injection: Injection): string {
  const { spec } = server.instrumentation;
  const { header, prefix, end } = server.conf;
  const settings = new Map([
    [`${prefix}Enabled`, 'ON'],
    [`${prefix}OtelExporterEndpoint`, spec.exporter.endpoint || 'http://localhost:4317/'],
    [`${prefix}OtelSpanExporter`, 'otlp'],
    [`${prefix}ResolveBackends`, 'ON'],
    [`${prefix}ServiceInstanceId`, INSTANCE_PLACEHOLDER],
    [`${prefix}ServiceName`, server.sdk.serviceName(app, injection)],
    [`${prefix}ServiceNamespace`, serviceNamespace(injection)],
    [`${prefix}TraceAsError`, 'ON'],
  ]);
  for (const { name, value = '' } of server.section.attrs) settings.set(name, value);
  const lines = [...settings.keys()].sort().map((key) => `${key} ${settings.get(key)}${end}`);
  return [...header, ...lines].join('\n');
}
