import { copiedAgent } from './copied-agent.ts';

const FOLDER = '/otel-auto-instrumentation-java';

/** Each is an init container with a place of its own. */
const MOST_EXTENSIONS = 100;

export const java = copiedAgent(({ spec }) => {
  const section = spec.java;
  const { resources, extensions } = section;
  return {
    name: 'java',
    section,
    resources,
    memory: '64Mi',
    problem:
      extensions.length > MOST_EXTENSIONS
        ? `the Instrumentation lists ${extensions.length} extensions, more than ${MOST_EXTENSIONS}`
        : undefined,
    folder: FOLDER,
    copyCommand: ['cp', '/javaagent.jar', `${FOLDER}/javaagent.jar`],
    moreInitContainers: extensions.map(({ image, dir }, index) => ({
      name: `opentelemetry-auto-instrumentation-extension-${index}`,
      image,
      command: ['cp', '-r', `${dir}/.`, `${FOLDER}/extensions`],
    })),
    mountPath: folderOf,
    options: [
      {
        name: 'JAVA_TOOL_OPTIONS',
        extend: (value, container) => {
          const folder = folderOf(container);
          const extended = withOption(value, `-javaagent:${folder}/javaagent.jar`);
          if (extensions.length === 0) return extended;
          return withOption(extended, `-Dotel.javaagent.extensions=${folder}/extensions`);
        },
      },
    ],
  };
});

// The process list shows the path, which identifies the container.
function folderOf(container: string): string {
  return `${FOLDER}-${container}`;
}

function withOption(value: string, option: string): string {
  // Not split at spaces: the name of a container in the path may have some before validation.
  if (` ${value} `.includes(` ${option} `)) return value;
  // Like the operator, puts a space before the first option too.
  return `${value} ${option}`;
}
