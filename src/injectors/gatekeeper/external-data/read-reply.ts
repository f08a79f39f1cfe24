import { isJsonArray, isJsonObject, type Json, member, type Reply } from '../../../sdk/index.ts';

/** A provider's values by key, or the failure. */
export type Items = { readonly failure: string } | { readonly values: ReadonlyMap<string, Item> };

export type Item = { readonly value: string } | { readonly failure: string };

/** Reads a ProviderResponse. */
export function readReply(reply: Reply): Items {
  if ('failure' in reply) return reply;
  const response = isJsonObject(reply.body) ? member(reply.body, 'response') : undefined;
  if (!isJsonObject(response)) return { failure: 'the reply is not a ProviderResponse' };
  const { systemError = '', idempotent = false, items = [] } = response;
  if (typeof systemError === 'string' && systemError.trim() !== '') return { failure: systemError.trim() };
  if (idempotent !== true) return { failure: 'the reply is not marked as idempotent' };
  if (!isJsonArray(items)) return { failure: 'the reply has no list of items' };
  const values = new Map<string, Item>();
  for (const item of items) {
    if (isJsonObject(item) && typeof item.key === 'string')
      values.set(item.key, readItem(item.value, item.error));
  }
  return { values };
}

function readItem(value: Json | undefined, error: Json | undefined): Item {
  if (typeof error === 'string' && error !== '') return { failure: error };
  return typeof value === 'string' ? { value } : { failure: 'the value is not a string' };
}
