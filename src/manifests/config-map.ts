import type { Manifest } from './manifest.ts';
import { type ConfigFiles, type ManifestSettings, metadataFor } from './settings.ts';

export function configMap(settings: ManifestSettings): Manifest {
  const { files } = settings;
  return {
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadataFor(settings),
      data: configMapData(files),
    },
  };
}

export function configMapData({ config, modules }: ConfigFiles): { readonly [key: string]: string } {
  return {
    'podgraft.yaml': config,
    ...Object.fromEntries(modules.map(({ path, text }) => [keyOf(path), text])),
  };
}

/** Back to the paths that the configuration names. */
export function configMapItems({
  modules,
}: ConfigFiles): readonly { readonly key: string; readonly path: string }[] {
  return [
    { key: 'podgraft.yaml', path: 'podgraft.yaml' },
    ...modules.map(({ path }) => ({ key: keyOf(path), path })),
  ];
}

/** Keys have no slashes. */
function keyOf(path: string): string {
  return path.replaceAll('/', '__');
}
