/** The entry point `podgraft/gotemplate`: Go's text/template and sprig as a library. */
export { isMap, itemsOf, mapGet, mapKeys, sortedKeys, structField } from './containers.ts';
export { type FunctionMap, func, metered } from './func.ts';
export { intOf, json, named, stringMap, structType, typedMap, typedSlice } from './host-values.ts';
export type { Meter } from './meter.ts';
export { parseJson } from './parse-json.ts';
export { sprint } from './print.ts';
export { sprigFunctions } from './sprig/functions.ts';
export { execute, parseTemplate, specializeTemplate, type Template } from './template.ts';
export { TemplateError } from './template-error.ts';
export { toJson } from './to-json.ts';
export { isNil } from './types.ts';
export { GoMap, type Int, type Methods, type Slice, Struct, type Value } from './values.ts';
