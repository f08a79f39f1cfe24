import { DOTNET_RUNTIME } from './annotations.ts';
import type { Work } from './common-env.ts';
import { copiedAgent } from './copied-agent.ts';
import { withPart } from './obstacle.ts';
import { annotation } from './subject.ts';

const HOME = 'OTEL_DOTNET_AUTO_HOME';
const FOLDER = '/otel-auto-instrumentation-dotnet';
const HOOKS = 'DOTNET_STARTUP_HOOKS';
const DEPS = 'DOTNET_ADDITIONAL_DEPS';
const STORE = 'DOTNET_SHARED_STORE';

/** The folder of the native profiler, by the runtime's name; it holds all architectures. */
const PLATFORMS: ReadonlyMap<string, string> = new Map([
  ['', 'linux'],
  ['linux-x64', 'linux'],
  ['linux-musl-x64', 'linux-musl'],
]);

export const dotnet = copiedAgent({
  name: 'dotnet',
  memory: '128Mi',
  lengthened: [HOOKS, DEPS, STORE],
  refusal: ({ subject, instrumentation }) => {
    const runtime = annotation(subject, DOTNET_RUNTIME);
    if (!PLATFORMS.has(runtime)) {
      return `annotation "${DOTNET_RUNTIME}" is "${runtime}", expected linux-x64 or linux-musl-x64`;
    }
    const { dotnet, env } = instrumentation.spec;
    const isSet = [...dotnet.env, ...env].some(({ name }) => name === HOME);
    return isSet ? `the Instrumentation sets ${HOME}, which is ours to set` : undefined;
  },
  containerRefusal: (env) => {
    const home = env.findLast(({ name }) => name === HOME);
    if (home === undefined || home.value === FOLDER) return undefined;
    return `it has ${HOME} already, as if it were instrumented by other means`;
  },
  command: (folder) => ['cp', '-r', '/autoinstrumentation/.', folder],
  mountPath: () => FOLDER,
  options: (env, _, work) => {
    env.add({ name: 'CORECLR_ENABLE_PROFILING', value: '1' });
    env.add({ name: 'CORECLR_PROFILER', value: '{918728DD-259F-4A6A-AC2B-B85E1B658318}' });
    env.add({ name: 'CORECLR_PROFILER_PATH', value: profilerPath(work) });
    const hook = `${FOLDER}/net/OpenTelemetry.AutoInstrumentation.StartupHook.dll`;
    env.extend(HOOKS, (text) => withPart(text, hook, ':'));
    env.extend(DEPS, (text) => withPart(text, `${FOLDER}/AdditionalDeps`, ':'));
    env.add({ name: HOME, value: FOLDER });
    env.extend(STORE, (text) => withPart(text, `${FOLDER}/store`, ':'));
  },
});

function profilerPath({ subject }: Work): string {
  const platform = PLATFORMS.get(annotation(subject, DOTNET_RUNTIME));
  return `${FOLDER}/${platform}/OpenTelemetry.AutoInstrumentation.Native.so`;
}
