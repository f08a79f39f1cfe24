import type { JsonObject } from '../json/json.ts';
import { fill, fillAbsent, fillItems, fillMember } from './fill.ts';
import { defaultPullPolicy } from './image-name.ts';

/** A volume with the API server's defaults. */
export function volumeDefaults(volume: JsonObject): JsonObject {
  // Any other field is a source, even if it is unknown.
  const hasSource = Object.keys(volume).some((field) => field !== 'name' && volume[field] !== null);
  if (!hasSource) return { ...volume, emptyDir: {} };
  let next = volume;
  for (const source of Object.keys(sources)) {
    if (Object.hasOwn(volume, source)) next = fillMember(next, source, sources[source] as Change);
  }
  return next;
}

type Change = (source: JsonObject) => JsonObject;

const withMode: Change = (source) => fill(source, { defaultMode: 0o644 });
const downwardItems: Change = (source) =>
  fillItems(source, 'items', (item) =>
    fillMember(
      fillMember(item, 'fieldRef', (ref) => fill(ref, { apiVersion: 'v1' })),
      'resourceFieldRef',
      (ref) => fill(ref, { divisor: '0' }),
    ),
  );

const sources: { readonly [source: string]: Change } = {
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
  hostPath: (source) => fill(source, { type: '' }),
  image: (source) => fill(source, { pullPolicy: defaultPullPolicy(source.reference) }),
  ephemeral: (source) =>
    fillMember(source, 'volumeClaimTemplate', (template) =>
      fillMember(template, 'spec', (spec) => fillAbsent(spec, { volumeMode: 'Filesystem' })),
    ),
  iscsi: (source) => fill(source, { iscsiInterface: 'default' }),
  rbd: (source) => fill(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  azureDisk: (source) =>
    fillAbsent(source, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' }),
  scaleIO: (source) => fill(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
};
