import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Programs that tests run, each built from the module in its folder beside this file. */
export const goPrograms = {
  actionlint: {
    module: 'github.com/rhysd/actionlint',
    package: 'github.com/rhysd/actionlint/cmd/actionlint',
  },
  helm: { module: 'helm.sh/helm/v3', package: 'helm.sh/helm/v3/cmd/helm' },
  kustomize: {
    module: 'sigs.k8s.io/kustomize/kustomize/v5',
    package: 'sigs.k8s.io/kustomize/kustomize/v5',
  },
};

/** Path of the cached program. Contains its version, so that a new one in go.mod triggers a build. */
export function goProgramPath(name) {
  const goMod = readFileSync(new URL(`${name}/go.mod`, import.meta.url), 'utf8');
  const line = goMod
    .split('\n')
    .find((each) => each.replace('require', '').trim().startsWith(`${goPrograms[name].module} v`));
  const [version] = /v\d\S*$/.exec(line?.replace(/ *\/\/.*/, '') ?? '') ?? [];
  if (version === undefined) throw new Error(`Cannot find the version of ${name} in tools/${name}/go.mod`);
  return join(homedir(), '.cache', 'podgraft', name, version, name);
}
