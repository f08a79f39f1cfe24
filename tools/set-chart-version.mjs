// Writes the version of package.json into the chart. `npm version` runs it.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const file = new URL('../deploy/chart/Chart.yaml', import.meta.url);
const text = readFileSync(file, 'utf8');
writeFileSync(file, text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
