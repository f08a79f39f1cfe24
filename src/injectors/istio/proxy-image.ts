import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { record } from './proxy-config.ts';

/** hub/image:tag[-type] of the proxy; the Pod's word on the type wins over the proxy's and the mesh's. */
export function proxyImage(values: JsonObject, config: JsonObject, typeOfPod: string | undefined): string {
  const image = config.image;
  const type = isJsonObject(image) && typeof image.imageType === 'string' ? image.imageType : '';
  return imageFor(values, 'proxy', typeOfPod ?? (type || text(record(values.global).variant)));
}

export function proxyInitImage(values: JsonObject, typeOfPod: string | undefined): string {
  return imageFor(values, 'proxy_init', typeOfPod ?? text(record(values.global).variant));
}

function imageFor(values: JsonObject, part: 'proxy' | 'proxy_init', type: string): string {
  const global = record(values.global);
  const name = text(record(global[part]).image) || 'proxyv2';
  const hub = text(global.hub);
  const tag = tagWith(text(global.tag), type);
  return `${hub === '' ? '' : `${hub}/`}${name}${tag === '' ? '' : `:${tag}`}`;
}

/** A type already in the tag is replaced; `default` takes it away. */
function tagWith(tag: string, type: string): string {
  if (type === '' || tag === '') return tag;
  const bare = tag.replace(/-(distroless|debug)$/, '');
  return type === 'default' ? bare : `${bare}-${type}`;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
