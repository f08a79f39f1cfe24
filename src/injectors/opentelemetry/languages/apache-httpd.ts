import { withoutTrailingSlashes } from '../object-name.ts';
import { agentVolume, emptyVolume } from './agent-resources.ts';
import { webServer } from './web-server.ts';
import { AGENT_FOLDER, attachApacheScript, LIBRARIES, POD_PATHS, SOURCE_CONF } from './web-server-scripts.ts';

/** In the order of their dependencies. */
const LIBRARY_NAMES = [
  'common',
  'resources',
  'trace',
  'otlp_recordable',
  'exporter_ostream_span',
  'exporter_otlp_grpc',
  'webserver_sdk',
];

export const apacheHttpd = webServer(({ apacheHttpd: section }) => {
  const folder = withoutTrailingSlashes(section.configPath) || '/';
  const module = section.version === '2.2' ? 'libmod_apache_otel22.so' : 'libmod_apache_otel.so';
  return {
    name: 'apache-httpd',
    section,
    confFolder: folder,
    agentVolume: agentVolume('otel-apache-agent', section),
    // The claim template is for the agent's files only.
    confVolume: emptyVolume('otel-apache-conf-dir', section),
    clone: {
      name: () => 'otel-agent-source-container-clone',
      command: ['cp', '-r', `${folder}/.`, SOURCE_CONF],
    },
    attach: {
      name: 'otel-agent-attach-apache',
      args: [attachApacheScript(POD_PATHS), '--', folder],
      confVariable: 'OTEL_APACHE_AGENT_CONF',
      instanceVariable: 'APACHE_SERVICE_INSTANCE_ID',
    },
    conf: {
      header: [
        ...LIBRARY_NAMES.map((name) => `LoadFile ${LIBRARIES}/libopentelemetry_${name}.so`),
        `LoadModule otel_apache_module ${AGENT_FOLDER}/WebServerModule/Apache/${module}`,
      ],
      prefix: 'ApacheModule',
      end: '',
    },
    paths: [],
  };
});
