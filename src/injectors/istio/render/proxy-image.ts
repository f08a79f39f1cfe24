import type { Json, JsonObject } from '../../../sdk/index.ts';
import { asObject } from '../pod-json.ts';

/** `hub/image:tag[-type]` of the proxy. The Pod's type wins over the type of the proxy's settings and the mesh's. */
export function proxyImage(values: JsonObject, config: JsonObject, podType: string | undefined): string {
  const { imageType } = asObject(config.image);
  const type = typeof imageType === 'string' ? imageType : '';
  return imageFor(values, 'proxy', podType ?? (type || text(asObject(values.global).variant)));
}

export function proxyInitImage(values: JsonObject, podType: string | undefined): string {
  return imageFor(values, 'proxy_init', podType ?? text(asObject(values.global).variant));
}

function imageFor(values: JsonObject, part: 'proxy' | 'proxy_init', type: string): string {
  const global = asObject(values.global);
  const name = text(asObject(global[part]).image) || 'proxyv2';
  const hub = text(global.hub);
  const tag = tagWith(text(global.tag), type);
  return `${hub === '' ? '' : `${hub}/`}${name}${tag === '' ? '' : `:${tag}`}`;
}

/** Replaces a type in the tag; `default` removes it. */
function tagWith(tag: string, type: string): string {
  if (type === '' || tag === '') return tag;
  const bare = tag.replace(/-(distroless|debug)$/, '');
  return type === 'default' ? bare : `${bare}-${type}`;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
