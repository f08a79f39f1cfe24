import { copiedAgent } from './copied-agent.ts';

const FOLDER = '/otel-auto-instrumentation-nodejs';
const OPTION = `--require ${FOLDER}/autoinstrumentation.js`;

export const nodejs = copiedAgent(({ spec }) => ({
  name: 'nodejs',
  section: spec.nodejs,
  resources: spec.nodejs.resourceRequirements,
  memory: '128Mi',
  folder: FOLDER,
  copyCommand: ['cp', '-r', '/autoinstrumentation/.', FOLDER],
  options: [
    { name: 'NODE_OPTIONS', extend: (value) => (value.includes(OPTION) ? value : `${value} ${OPTION}`) },
    { name: 'OTEL_METRICS_EXPORTER', value: 'otlp' },
  ],
}));
