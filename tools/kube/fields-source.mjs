import { enums, isPort } from './field-exceptions.mjs';
import { reference, shortName } from './openapi.mjs';

/**
 * The fields of all served kinds as one text, a line a definition: `Name field:type field:type`. Types are a letter
 * (`string s`, `int32 i`, …), `(a|b)` for an enum, `[]` and `{}` before the type of items and values, or a definition.
 * The reader is src/graft/field-schema.ts.
 */
export function fieldsSource(schemas, discovery) {
  const names = uniqueNames(Object.keys(schemas));
  const lines = new Map();
  const unused = new Set(Object.keys(enums));
  const kinds = servedKinds(schemas, discovery).map(([kind, definition]) => `${kind}:${define(definition)}`);
  if (unused.size > 0) throw new Error(`Enums for fields that do not exist: ${[...unused].join(', ')}`);
  const definitions = [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
  return [
    '/** `apiVersion/Kind:Definition`, one a line. */',
    `export const kindLines = \`\n${kinds.toSorted().join('\n')}\n\`;\n`,
    '/** `Definition field:type …`, one a line; ../field-schema.ts explains the types. */',
    `export const definitionLines = \`\n${definitions.join('\n')}\n\`;\n`,
  ].join('\n');

  function define(definition) {
    const name = names.get(definition);
    if (lines.has(name)) return name;
    lines.set(name, '');
    const fields = Object.entries(schemas[definition].properties).map(
      // Left unchecked: controllers write it, and overlays do not need it.
      ([field, schema]) => `${field}:${field === 'status' ? '?' : typeOf(schema, name, field)}`,
    );
    lines.set(name, [name, ...fields].join(' '));
    return name;
  }

  function typeOf(schema, name, field) {
    const path = `${name}.${field}`;
    const values = schema.enum ?? enums[path];
    unused.delete(path);
    if (values !== undefined) return `(${values.join('|')})`;
    const target = reference(schema);
    if (target !== undefined) return referencedType(target, name, field);
    if (schema.type === 'array') return `[]${typeOf(schema.items, name, field)}`;
    if (schema.additionalProperties) return `{}${typeOf(schema.additionalProperties, name, field)}`;
    if (schema.type === 'integer') return isPort(name, field) ? 'p' : schema.format === 'int64' ? 'l' : 'i';
    return { string: 's', boolean: 'b', number: 'n', object: 'o' }[schema.type] ?? '?';
  }

  function referencedType(target, name, field) {
    const schema = schemas[target];
    if (schema.properties) return define(target);
    if (target.endsWith('.Quantity')) return 'q';
    if (schema.format === 'int-or-string') return isPort(name, field) ? 'w' : 'x';
    return { string: 's', object: 'o' }[schema.type] ?? '?';
  }
}

/** Rows of apiVersion/Kind and definition. */
function servedKinds(schemas, discovery) {
  const served = new Set();
  for (const { metadata, versions } of discovery) {
    for (const { version, resources } of versions) {
      const apiVersion = metadata.name ? `${metadata.name}/${version}` : version;
      for (const { responseKind } of resources) served.add(`${apiVersion}/${responseKind.kind}`);
    }
  }
  return Object.entries(schemas).flatMap(([definition, schema]) =>
    (schema['x-kubernetes-group-version-kind'] ?? [])
      .map(({ group, version, kind }) => `${group ? `${group}/` : ''}${version}/${kind}`)
      .filter((kind) => served.has(kind))
      .map((kind) => [kind, definition]),
  );
}

/** The last part of a definition's name, with its group where two groups use it. */
export function uniqueNames(definitions) {
  const counts = new Map();
  for (const name of definitions.map(shortName)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    definitions.map((definition) => {
      const [group = ''] = definition.split('.').slice(-3);
      const prefix = counts.get(shortName(definition)) > 1 ? group[0].toUpperCase() + group.slice(1) : '';
      return [definition, prefix + shortName(definition)];
    }),
  );
}
