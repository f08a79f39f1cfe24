import * as v from 'valibot';
import { isLess, matchesNamePattern } from '../../sdk/index.ts';
import { type LogPath, listedPaths } from './log-path.ts';
import { normalPath } from './paths.ts';
import { quantity, quoted } from './value-parsers.ts';

const patterns = () => v.optional(v.array(v.pipe(v.string(), v.nonEmpty('must not be empty'))));
const amount = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((text) => 'value' in quantity(text), 'expected a quantity such as 100m, 0.5, 128Mi or 1Gi'),
    ),
  );

/** Limits on what annotations can request. Defaults from the configuration are not limited. */
export const allowedSchema = v.strictObject({
  images: patterns(),
  logPaths: patterns(),
  configMaps: patterns(),
  commands: patterns(),
  maxResources: v.optional(v.strictObject({ cpu: amount(), memory: amount() }), {}),
});

export type Allowed = v.InferOutput<typeof allowedSchema>;

/** Why a value is forbidden, as the end of a sentence; undefined if it is allowed. */
export type Check<T> = (value: T) => string | undefined;

export function onlyMatching(allowed: Allowed, option: 'images' | 'configMaps' | 'commands'): Check<string> {
  return (text) =>
    matchesAny(allowed[option], text) ? undefined : `which does not match "allowed.${option}"`;
}

/** Each listed path has to match, with its globs: a directory that may be read does not open the one around it. */
export function onlyAllowedPaths({ logPaths }: Allowed): Check<LogPath> {
  return ({ text }) => {
    const foreign = listedPaths(text).find((path) => !isAllowedPath(path, logPaths));
    return foreign && `but ${quoted(foreign)} does not match "allowed.logPaths"`;
  };
}

/** Behind a glob, `..` leads out of what a pattern describes. */
function isAllowedPath(path: string, logPaths: readonly string[] | undefined): boolean {
  return (
    logPaths === undefined || (matchesAny(logPaths, normalPath(path)) && !path.split('/').includes('..'))
  );
}

export function atMost({ maxResources }: Allowed, resource: 'cpu' | 'memory'): Check<string> {
  const max = maxResources[resource];
  return (text) =>
    isLess(max, text) ? `more than the "${max}" of "allowed.maxResources.${resource}"` : undefined;
}

function matchesAny(list: readonly string[] | undefined, text: string): boolean {
  return list === undefined || list.some((pattern) => matchesNamePattern(pattern, text));
}
