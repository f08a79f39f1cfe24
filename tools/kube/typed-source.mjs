import { uniqueNames } from './fields-source.mjs';
import { goStructs } from './go-structs.mjs';
import { reference } from './openapi.mjs';
import { extraDefinitions, extraKinds, isOmittedIfEmpty, isPointer } from './typed-exceptions.mjs';

/**
 * The Go types of all kinds as one text, a line a definition: `Name field:type …`. Type information beyond src/graft/generated/fields.ts:
 * how server-side apply merges it, and whether Go writes it if it is empty. The reader is src/kube/typed/schema.ts.
 *
 * `~` after a name marks an atomic struct. A field is `name:[!][*]type[=default]`: `!` is always written, `*` a pointer.
 * Lists are `[]item` (atomic), `[=]item` (a set) or `[key,key]item`; maps `{}value` or, if atomic, `{~}value`.
 */
export function typedSource(schemas) {
  const names = uniqueNames(Object.keys(schemas));
  const lines = new Map();
  const kinds = [];
  for (const [definition, schema] of Object.entries(schemas)) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      // Options and watch events belong to every group.
      if (schema['x-kubernetes-group-version-kind'].length > 1 || schema.properties === undefined) continue;
      kinds.push(`${group ? `${group}/` : ''}${version}/${kind}:${define(definition)}`);
    }
  }
  for (const line of extraDefinitions) lines.set(line.split(' ')[0], line);
  kinds.push(...extraKinds);
  const definitions = [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
  return [
    '/** `apiVersion/Kind:Definition`, one a line. */',
    `export const typedKinds = \`\n${kinds.toSorted().join('\n')}\n\`;\n`,
    '/** `Definition field:type …`, one a line; ../typed/schema.ts explains the types. */',
    `export const typedDefinitions = \`\n${definitions.join('\n')}\n\`;\n`,
  ].join('\n');

  function define(definition) {
    const name = names.get(definition);
    if (lines.has(name)) return name;
    lines.set(name, '');
    const schema = schemas[definition];
    const fields = Object.entries(schema.properties).map(([field, property]) =>
      fieldSource(name, schema, field, property),
    );
    const mark = schema['x-kubernetes-map-type'] === 'atomic' ? '~' : '';
    lines.set(name, [`${name}${mark}`, ...fields].join(' '));
    return name;
  }

  function fieldSource(name, schema, field, property) {
    const type = typeOf(property);
    const go = goField(name, field);
    const isStruct = isPlainObject(property.default);
    const isOmitted = go?.includes('?') || isOmittedIfEmpty(name, field);
    const isRequired = (schema.required ?? []).includes(field) && !isOmitted;
    const written = isRequired || isStruct || go?.includes('!') ? '!' : '';
    const isScalar = /^[sbilnx]$/.test(type);
    const pointer = isScalar
      ? !isRequired && !isOmitted && (go ? go.includes('*') : isPointer(name, field, type))
      : /^[A-Z]/.test(type) && !isStruct;
    const fallback =
      typeof property.default === 'string' && property.default !== '' ? `=${property.default}` : '';
    return `${field}:${written}${pointer ? '*' : ''}${type}${fallback}`;
  }

  function typeOf(schema) {
    const target = reference(schema);
    const isAtomic = schema['x-kubernetes-map-type'] === 'atomic' ? '~' : '';
    if (target !== undefined) return referencedType(target);
    if (schema.type === 'array') return `[${listMark(schema)}]${typeOf(schema.items)}`;
    if (schema.additionalProperties) return `{${isAtomic}}${typeOf(schema.additionalProperties)}`;
    if (schema.type === 'integer') return schema.format === 'int64' ? 'l' : 'i';
    if (schema.type === 'string') return { byte: 'y', 'date-time': 't' }[schema.format] ?? 's';
    return { boolean: 'b', number: 'n', object: 'o' }[schema.type] ?? '?';
  }

  function referencedType(target) {
    const schema = schemas[target];
    if (schema.properties) return define(target);
    if (target.endsWith('.Quantity')) return 'q';
    // Any value, kept as it is.
    if (target.endsWith('.FieldsV1')) return '?';
    if (schema.format === 'int-or-string') return 'x';
    if (schema.format === 'date-time') return target.endsWith('.MicroTime') ? 'u' : 't';
    return { string: 's', object: 'o' }[schema.type] ?? '?';
  }
}

function listMark(schema) {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] === 'map' && keys) return keys.join(',');
  return schema['x-kubernetes-list-type'] === 'set' ? '=' : '';
}

/** The marks of a field in the reviewed list of structs; undefined if the struct is not listed. */
function goField(name, field) {
  const fields = goStructs[name]?.trim().split(/\s+/);
  return fields?.find((each) => each.replace(/[*!?]+$/, '') === field);
}

function isPlainObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
