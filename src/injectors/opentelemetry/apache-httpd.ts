import { agentVolume } from './agent-volume.ts';
import type { InstrumentationSpec } from './instrumentation.ts';
import { webServer } from './web-server.ts';
import { AGENT_FOLDER, LIBRARIES, POD_PATHS, SOURCE_CONF } from './web-server-paths.ts';
import { attachApacheScript } from './web-server-scripts.ts';
import { settingLines } from './web-server-settings.ts';

/** In the order in which they need each other. */
const LIBRARY_NAMES = [
  'common',
  'resources',
  'trace',
  'otlp_recordable',
  'exporter_ostream_span',
  'exporter_otlp_grpc',
  'webserver_sdk',
];

export const apacheHttpd = webServer({
  name: 'apache-httpd',
  short: 'apache',
  section: ({ apacheHttpd }) => apacheHttpd,
  confFolder: folderOf,
  cloneName: () => 'otel-agent-source-container-clone',
  cloneCommand: (spec) => ['cp', '-r', `${folderOf(spec)}/.`, SOURCE_CONF],
  attachScript: attachApacheScript(POD_PATHS),
  attachArguments: (spec) => [folderOf(spec)],
  instanceVariable: 'APACHE_SERVICE_INSTANCE_ID',
  confVariable: 'OTEL_APACHE_AGENT_CONF',
  conf: (settings, { apacheHttpd: { version, attrs } }) => {
    const module = version === '2.2' ? 'libmod_apache_otel22.so' : 'libmod_apache_otel.so';
    return [
      ...LIBRARY_NAMES.map((name) => `LoadFile ${LIBRARIES}/libopentelemetry_${name}.so`),
      `LoadModule otel_apache_module ${AGENT_FOLDER}/WebServerModule/Apache/${module}`,
      ...settingLines('ApacheModule', settings, attrs, ''),
    ].join('\n');
  },
  volumes: (plan, names, { apacheHttpd }) => {
    plan.volume(agentVolume(names.conf, apacheHttpd));
    plan.volume(agentVolume(names.agent, apacheHttpd));
  },
});

function folderOf({ apacheHttpd }: InstrumentationSpec): string {
  return apacheHttpd.configPath.replace(/(.)\/+$/, '$1');
}
