import { isJsonArray, isJsonObject, type Json } from '../../json/json.ts';
import type { Overlay, PersistentVolumeClaimTemplate, Volume } from '../../sdk/index.ts';

interface VolumeOptions {
  readonly volumeClaimTemplate?: Overlay<PersistentVolumeClaimTemplate> | undefined;
  readonly volumeLimitSize?: string | undefined;
}

export type NamedVolume = Overlay<Volume> & { readonly name: string };

/** Where an agent is copied to, from its image and into the application's container. */
export function agentVolume(name: string, options: VolumeOptions): NamedVolume {
  const { volumeClaimTemplate, volumeLimitSize = '200Mi' } = options;
  if (saysSomething(volumeClaimTemplate as Json | undefined))
    return { name, ephemeral: { volumeClaimTemplate } };
  return { name, emptyDir: { sizeLimit: volumeLimitSize } };
}

/** The operator stores an empty template, with all its empty parts, where there is none. */
function saysSomething(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.values(value).some(saysSomething);
  return value !== undefined && value !== null && value !== '';
}
