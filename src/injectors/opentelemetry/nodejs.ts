import { stable } from '../../json/stable.ts';
import { copiedAgent } from './copied-agent.ts';

const OPTIONS = 'NODE_OPTIONS';
const METRICS_EXPORTER = stable({ name: 'OTEL_METRICS_EXPORTER', value: 'otlp' });

export const nodejs = copiedAgent({
  name: 'nodejs',
  memory: '128Mi',
  lengthened: [OPTIONS],
  command: (folder) => ['cp', '-r', '/autoinstrumentation/.', folder],
  mountPath: () => '/otel-auto-instrumentation-nodejs',
  options: (env, mountPath) => {
    const option = `--require ${mountPath}/autoinstrumentation.js`;
    env.extend(OPTIONS, (text) => (text.includes(option) ? text : `${text} ${option}`));
    env.add(METRICS_EXPORTER);
  },
});
