import type { JsonObject } from '../json/json.ts';
import { fill, fillAbsent, fillItems, fillMember } from './fill.ts';
import { defaultPullPolicy } from './image-name.ts';

/** A volume with the API server's defaults. */
export function volumeDefaults(volume: JsonObject): JsonObject {
  // Any other field is a source, even if it is unknown.
  const hasSource = Object.keys(volume).some((field) => field !== 'name' && volume[field] !== null);
  return hasSource ? sourceDefaults(volume, sources) : { ...volume, emptyDir: {} };
}

/** The spec of a PersistentVolume, whose sources are some of those of a Pod's volumes. */
export function volumeSourceDefaults(spec: JsonObject): JsonObject {
  return sourceDefaults(spec, persistentSources);
}

function sourceDefaults(volume: JsonObject, known: Changes): JsonObject {
  let next = volume;
  for (const source of Object.keys(known)) {
    if (Object.hasOwn(volume, source)) next = fillMember(next, source, known[source] as Change);
  }
  return next;
}

type Change = (source: JsonObject) => JsonObject;
type Changes = { readonly [source: string]: Change };

const withMode: Change = (source) => fill(source, { defaultMode: 0o644 });
const downwardItems: Change = (source) =>
  fillItems(source, 'items', (item) =>
    fillMember(
      fillMember(item, 'fieldRef', (ref) => fill(ref, { apiVersion: 'v1' })),
      'resourceFieldRef',
      (ref) => fill(ref, { divisor: '0' }),
    ),
  );

const persistentSources: Changes = {
  hostPath: (source) => fill(source, { type: '' }),
  iscsi: (source) => fill(source, { iscsiInterface: 'default' }),
  rbd: (source) => fill(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  azureDisk: (source) =>
    fillAbsent(source, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' }),
  scaleIO: (source) => fill(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
};

const sources: Changes = {
  ...persistentSources,
  configMap: withMode,
  secret: withMode,
  downwardAPI: (source) => withMode(downwardItems(source)),
  projected: (source) =>
    fillItems(withMode(source), 'sources', (each) =>
      fillMember(
        fillMember(each, 'serviceAccountToken', (token) => fill(token, { expirationSeconds: 3600 })),
        'downwardAPI',
        downwardItems,
      ),
    ),
  image: (source) => fill(source, { pullPolicy: defaultPullPolicy(source.reference) }),
  ephemeral: (source) =>
    fillMember(source, 'volumeClaimTemplate', (template) =>
      fillMember(template, 'spec', (spec) => fillAbsent(spec, { volumeMode: 'Filesystem' })),
    ),
};
