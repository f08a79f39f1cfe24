import type { FunctionMap } from '../func.ts';
import { DEFAULTS } from './defaults.ts';
import { DICTS } from './dicts.ts';
import { ENCODING } from './encoding.ts';
import { LISTS } from './lists.ts';
import { MATH } from './math.ts';
import { PATHS } from './paths.ts';
import { type RegexpEngine, regexpFunctions } from './regexp.ts';
import { STRINGS } from './strings.ts';
import { UNAVAILABLE } from './unavailable.ts';

/** Every name of sprig's TxtFuncMap (v3.3.0). Pass it as `functions`, followed by the host's own. */
export function sprigFunctions(ports: { regexp?: RegexpEngine } = {}): FunctionMap {
  return {
    ...STRINGS,
    ...LISTS,
    ...DICTS,
    ...MATH,
    ...DEFAULTS,
    ...ENCODING,
    ...PATHS,
    ...regexpFunctions(ports.regexp),
    ...UNAVAILABLE,
  };
}
