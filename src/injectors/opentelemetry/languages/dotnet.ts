import { DOTNET_RUNTIME } from '../annotations.ts';
import { lastOf } from '../plan/by-name.ts';
import { pathExtension } from '../plan/env-plan.ts';
import { copiedAgent } from './copied-agent.ts';

const HOME = 'OTEL_DOTNET_AUTO_HOME';
const FOLDER = '/otel-auto-instrumentation-dotnet';

/** The folder of the native profiler by runtime; it has the files of all architectures. */
const PROFILERS = { 'linux-x64': 'linux', 'linux-musl-x64': 'linux-musl' };

export const dotnet = copiedAgent(
  ({ spec }, profiler) => {
    const { dotnet: section, env: sharedEnv } = spec;
    const setsHome = [...section.env, ...sharedEnv].some(({ name }) => name === HOME);
    return {
      name: 'dotnet',
      section,
      resources: section.resourceRequirements,
      memory: '128Mi',
      problem: setsHome ? `the Instrumentation sets ${HOME}, which is reserved` : undefined,
      folder: FOLDER,
      copyCommand: ['cp', '-r', '/autoinstrumentation/.', FOLDER],
      options: [
        { name: 'CORECLR_ENABLE_PROFILING', value: '1' },
        { name: 'CORECLR_PROFILER', value: '{918728DD-259F-4A6A-AC2B-B85E1B658318}' },
        {
          name: 'CORECLR_PROFILER_PATH',
          value: `${FOLDER}/${profiler}/OpenTelemetry.AutoInstrumentation.Native.so`,
        },
        pathExtension(
          'DOTNET_STARTUP_HOOKS',
          `${FOLDER}/net/OpenTelemetry.AutoInstrumentation.StartupHook.dll`,
        ),
        pathExtension('DOTNET_ADDITIONAL_DEPS', `${FOLDER}/AdditionalDeps`),
        { name: HOME, value: FOLDER },
        pathExtension('DOTNET_SHARED_STORE', `${FOLDER}/store`),
      ],
      containerProblem: (env) => {
        const home = lastOf(env, HOME);
        if (home === undefined || home.value === FOLDER) return undefined;
        return `${HOME} is already set: another tool seems to instrument it`;
      },
    };
  },
  { annotation: DOTNET_RUNTIME, folders: PROFILERS },
);
