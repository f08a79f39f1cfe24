import { copiedAgent } from './copied-agent.ts';

const FOLDER = '/otel-auto-instrumentation-java';

export const java = copiedAgent(({ instrumentation }) => {
  const section = instrumentation.spec.java;
  const { resources, extensions } = section;
  return {
    name: 'java',
    section,
    resources,
    memory: '64Mi',
    folder: FOLDER,
    copyCommand: ['cp', '/javaagent.jar', `${FOLDER}/javaagent.jar`],
    moreInitContainers: extensions.map(({ image, dir }, index) => ({
      name: `opentelemetry-auto-instrumentation-extension-${index}`,
      image,
      command: ['cp', '-r', `${dir}/.`, `${FOLDER}/extensions`],
    })),
    // The process list shows the path, which identifies the container.
    mountPath: (container) => `${FOLDER}-${container}`,
    options: (mountPath) => {
      const options = [`-javaagent:${mountPath}/javaagent.jar`];
      if (extensions.length > 0) options.push(`-Dotel.javaagent.extensions=${mountPath}/extensions`);
      const extend = (value: string) => {
        // Not split at spaces: the name of a container in the path may have some before validation.
        const missing = options.filter((option) => !` ${value} `.includes(` ${option} `));
        // Like the operator, puts a space before the first option too.
        return value + missing.map((option) => ` ${option}`).join('');
      };
      return [{ name: 'JAVA_TOOL_OPTIONS', extend }];
    },
  };
});
