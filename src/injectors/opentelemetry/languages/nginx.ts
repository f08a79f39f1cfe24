import { injectKey, isRequested } from '../annotations.ts';
import { annotation, type Injection } from '../injection.ts';
import { pathExtension, valueFromProblem } from '../plan/env-plan.ts';
import { webServer } from './web-server.ts';
import {
  AGENT_FOLDER,
  attachNginxScript,
  cloneNginxScript,
  LIBRARIES,
  POD_PATHS,
} from './web-server-scripts.ts';

const LIBRARY_PATH = 'LD_LIBRARY_PATH';
const AGENT_VOLUME = 'otel-nginx-agent';
const CLONE = 'otel-agent-source-container-clone';

export const nginx = webServer(({ nginx: section }) => {
  const slash = section.configFile.lastIndexOf('/');
  const folder = slash < 0 ? '.' : section.configFile.slice(0, slash) || '/';
  const planned = section.env.find(({ name }) => name === LIBRARY_PATH);
  return {
    name: 'nginx',
    section,
    confFolder: folder,
    agentVolume: { name: AGENT_VOLUME, emptyDir: {} },
    confVolume: { name: 'otel-nginx-conf-dir', emptyDir: {} },
    clone: {
      // The operator uses the same name for both servers, which is impossible in one Pod.
      name: (injection) => (hasApache(injection) ? `${CLONE}-nginx` : CLONE),
      command: ['/bin/sh', '-c', cloneNginxScript(POD_PATHS), '--', folder],
    },
    attach: {
      name: 'otel-agent-attach-nginx',
      args: [attachNginxScript(POD_PATHS), '--', folder, section.configFile.slice(slash + 1)],
      confVariable: 'OTEL_NGINX_AGENT_CONF',
      instanceVariable: 'OTEL_NGINX_SERVICE_INSTANCE_ID',
    },
    conf: { header: [], prefix: 'NginxModule', end: ';' },
    paths: [pathExtension(LIBRARY_PATH, LIBRARIES)],
    containerProblem: (target, injection) => {
      const volume = injection.plan.target(target).volumeAt(AGENT_FOLDER) ?? AGENT_VOLUME;
      if (volume !== AGENT_VOLUME) return 'it is already instrumented as an Apache server';
      return valueFromProblem(LIBRARY_PATH, target.container.env ?? [], planned);
    },
  };
});

function hasApache(injection: Injection): boolean {
  const request = annotation(injection, injectKey('apache-httpd'));
  return isRequested(request) && injection.options.languages.has('apache-httpd');
}
