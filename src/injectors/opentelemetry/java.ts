import { copiedAgent } from './copied-agent.ts';
import type { EnvPlan } from './env-plan.ts';

const OPTIONS = 'JAVA_TOOL_OPTIONS';

export const java = copiedAgent({
  name: 'java',
  memory: '64Mi',
  lengthened: [OPTIONS],
  command: (folder) => ['cp', '/javaagent.jar', `${folder}/javaagent.jar`],
  // The path shows up in the process list, where it tells the containers of a Pod apart.
  mountPath: (container) => `/otel-auto-instrumentation-java-${container}`,
  options: (env, mountPath, { instrumentation }) => {
    addOption(env, `-javaagent:${mountPath}/javaagent.jar`);
    if (instrumentation.spec.java.extensions.length > 0) {
      addOption(env, `-Dotel.javaagent.extensions=${mountPath}/extensions`);
    }
  },
  more: (folder, { instrumentation }) =>
    instrumentation.spec.java.extensions.map(({ image, dir }, index) => ({
      name: `opentelemetry-auto-instrumentation-extension-${index}`,
      image,
      command: ['cp', '-r', `${dir}/.`, `${folder}/extensions`],
    })),
});

/** With a space in front even where it is the only one, as the operator has it. */
function addOption(env: EnvPlan, option: string): void {
  env.extend(OPTIONS, (text) => (text.split(' ').includes(option) ? text : `${text} ${option}`));
}
