import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goModuleFolder, goPrograms, goProgramVersion } from '../go-program-path.mjs';
import { cachedFolder } from './cached-folder.mjs';

const PROGRAM = 'cert-manager-controller';

/** cert-manager's own chart, put together from its module as its makefile does: with a version and the resource definitions. */
export function certManagerChart() {
  const version = goProgramVersion(PROGRAM);
  return cachedFolder('cert-manager-chart', { version, revision: 1 }, (made) => {
    const list = ['list', '-m', '-f', '{{.Dir}}', goPrograms[PROGRAM].module];
    const module = execFileSync('go', list, { cwd: goModuleFolder(PROGRAM), encoding: 'utf8' }).trim();
    const deploy = join(module, 'deploy');
    // Files in Go's cache are read-only.
    execFileSync('cp', ['-r', '--no-preserve=mode', `${deploy}/charts/cert-manager/.`, made]);
    for (const name of readdirSync(join(deploy, 'crds')).filter((each) => each.endsWith('.yaml')))
      cpSync(join(deploy, 'crds', name), join(made, 'templates', name));
    const template = readFileSync(join(made, 'Chart.template.yaml'), 'utf8').replaceAll(
      /\{\{.*?\}\}/g,
      'false',
    );
    writeFileSync(join(made, 'Chart.yaml'), `${template}\nversion: ${version}\nappVersion: ${version}\n`);
  });
}
