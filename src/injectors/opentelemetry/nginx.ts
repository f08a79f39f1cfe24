import { INJECT, isFalse } from './annotations.ts';
import type { Work } from './common-env.ts';
import { obstacle, withPart } from './obstacle.ts';
import { annotation } from './subject.ts';
import { webServer } from './web-server.ts';
import { AGENT_FOLDER, LIBRARIES, POD_PATHS } from './web-server-paths.ts';
import { attachNginxScript, cloneNginxScript } from './web-server-scripts.ts';
import { settingLines } from './web-server-settings.ts';

const LIBRARY_PATH = 'LD_LIBRARY_PATH';
const CLONE = 'otel-agent-source-container-clone';

export const nginx = webServer({
  name: 'nginx',
  short: 'nginx',
  section: ({ nginx }) => nginx,
  confFolder: ({ nginx }) => folderOf(nginx.configFile),
  // Beside Apache's clone, which has the name that both have in the operator.
  cloneName: (work) => (hasApache(work) ? `${CLONE}-nginx` : CLONE),
  cloneCommand: ({ nginx }) => [
    '/bin/sh',
    '-c',
    cloneNginxScript(POD_PATHS),
    '--',
    folderOf(nginx.configFile),
  ],
  attachScript: attachNginxScript(POD_PATHS),
  attachArguments: ({ nginx: { configFile } }) => [
    folderOf(configFile),
    configFile.slice(configFile.lastIndexOf('/') + 1),
  ],
  instanceVariable: 'OTEL_NGINX_SERVICE_INSTANCE_ID',
  confVariable: 'OTEL_NGINX_AGENT_CONF',
  conf: (settings, { nginx: { attrs } }) => settingLines('NginxModule', settings, attrs, ';').join('\n'),
  volumes: (plan, names) => {
    plan.volume({ name: names.conf, emptyDir: {} });
    plan.volume({ name: names.agent, emptyDir: {} });
  },
  refusal: (target, { plan, instrumentation: { spec } }) => {
    const agent = plan.target(target).volumeAt(AGENT_FOLDER) ?? 'otel-nginx-agent';
    if (agent !== 'otel-nginx-agent') return 'it is instrumented as an Apache server';
    return obstacle(target.container.env ?? [], [LIBRARY_PATH], spec.nginx.env);
  },
  paths: (env) => {
    env.extend(LIBRARY_PATH, (text) => withPart(text, LIBRARIES, ':'));
  },
});

function hasApache({ subject }: Work): boolean {
  const value = annotation(subject, INJECT['apache-httpd']);
  return value !== '' && !isFalse(value) && subject.options.languages.has('apache-httpd');
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash) || '/';
}
