import * as v from 'valibot';
import { isJsonObject } from '../../json/json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { ConfigError, parseConfig } from '../../sdk/config.ts';
import { oncePer } from '../../sdk/memory.ts';
import { lowerCaseKeys } from './lower-case-keys.ts';

/** What the ConfigMap of roles says about one ServiceAccount. */
export interface MappedRole {
  readonly roleArn: string;
  readonly audience: string;
  readonly regionalSts: boolean;
  /** 0 where it says nothing. */
  readonly expiration: number;
}

/** Roles by `namespace/name`, where the namespace may be `*`; or why the ConfigMap cannot be used. */
export type RoleMap = { readonly roles: ReadonlyMap<string, MappedRole> } | { readonly problem: string };

/** Reads the ConfigMap's key `config`. */
export const roleMapOf = oncePer(parseRoleMap);

const entrySchema = v.object({
  rolearn: v.nullish(v.string(), ''),
  audience: v.nullish(v.string(), ''),
  useregionalsts: v.nullish(v.boolean(), false),
  tokenexpiration: v.nullish(v.pipe(v.number(), v.integer()), 0),
});
const schema = v.nullable(v.record(v.string(), v.pipe(v.unknown(), v.transform(lowerCaseKeys), entrySchema)));

function parseRoleMap({ data }: KubeObject): RoleMap {
  const text = isJsonObject(data) ? data.config : undefined;
  if (typeof text !== 'string') return { problem: 'no key "config"' };
  try {
    const entries = Object.entries(parseConfig(schema, JSON.parse(text)) ?? {});
    return { roles: new Map(entries.map(([key, entry]) => [key, toRole(entry)])) };
  } catch (error) {
    return { problem: `key "config": ${error instanceof ConfigError ? error.message : 'not JSON'}` };
  }
}

function toRole(entry: v.InferOutput<typeof entrySchema>): MappedRole {
  return {
    roleArn: entry.rolearn,
    audience: entry.audience,
    regionalSts: entry.useregionalsts,
    expiration: entry.tokenexpiration,
  };
}
