import type { FunctionMap } from '../func.ts';
import { CASE } from './case.ts';
import { DATES } from './dates.ts';
import { DEFAULTS } from './defaults.ts';
import { DICTS } from './dicts.ts';
import { ENCODING } from './encoding.ts';
import { HASHES } from './hashes.ts';
import { LISTS } from './lists.ts';
import { MATH } from './math.ts';
import { PATHS } from './paths.ts';
import { REGEXP } from './regexp.ts';
import { SEMVER } from './semver.ts';
import { STRINGS } from './strings.ts';
import { UNAVAILABLE } from './unavailable.ts';
import { URLS } from './urls.ts';
import { WRAP } from './wrap.ts';

/** All names of sprig's TxtFuncMap (v3.3.0), to pass as `functions` together with the host's own. */
export function sprigFunctions(): FunctionMap {
  return {
    ...STRINGS,
    ...CASE,
    ...HASHES,
    ...LISTS,
    ...DICTS,
    ...MATH,
    ...DEFAULTS,
    ...ENCODING,
    ...PATHS,
    ...REGEXP,
    ...SEMVER,
    ...DATES,
    ...URLS,
    ...WRAP,
    ...UNAVAILABLE,
  };
}
