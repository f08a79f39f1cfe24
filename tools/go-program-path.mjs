import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const certManager = (program) => ({
  module: 'github.com/cert-manager/cert-manager',
  package: `github.com/cert-manager/cert-manager/cmd/${program}`,
  folder: 'cert-manager',
});

/** Programs that tests run, each built from the module in `folder` beside this file; by default, the folder has its name. */
export const goPrograms = {
  actionlint: {
    module: 'github.com/rhysd/actionlint',
    package: 'github.com/rhysd/actionlint/cmd/actionlint',
  },
  'cert-manager-cainjector': certManager('cainjector'),
  'cert-manager-controller': certManager('controller'),
  'cert-manager-webhook': certManager('webhook'),
  filebeat: { module: 'github.com/elastic/beats/v7', package: 'github.com/elastic/beats/v7/filebeat' },
  helm: { module: 'helm.sh/helm/v3', package: 'helm.sh/helm/v3/cmd/helm' },
  kustomize: {
    module: 'sigs.k8s.io/kustomize/kustomize/v5',
    package: 'sigs.k8s.io/kustomize/kustomize/v5',
  },
};

/** Folder of the module that a program is built from. */
export function goModuleFolder(name) {
  return fileURLToPath(new URL(`${goPrograms[name].folder ?? name}/`, import.meta.url));
}

/** Version of a program, as stated in go.mod. */
export function goProgramVersion(name) {
  const goMod = readFileSync(join(goModuleFolder(name), 'go.mod'), 'utf8');
  const line = goMod
    .split('\n')
    .find((each) => each.replace('require', '').trim().startsWith(`${goPrograms[name].module} v`));
  const [version] = /v\d\S*$/.exec(line?.replace(/ *\/\/.*/, '') ?? '') ?? [];
  if (version === undefined) throw new Error(`Cannot find the version of ${name} in its go.mod`);
  return version;
}

/** Path of the cached program. Contains its version, so that a new one in go.mod triggers a build. */
export function goProgramPath(name) {
  return join(homedir(), '.cache', 'podgraft', name, goProgramVersion(name), name);
}
