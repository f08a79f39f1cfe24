import { reference, shortName } from './openapi.mjs';
import { fieldExceptions, keyDefaults, meaningfulEmptyStrings, unions } from './shape-exceptions.mjs';

/** The merge shapes of the root kinds as TypeScript: a constant a definition, those used before those that use them. */
export function shapesSource(schemas, roots) {
  const constants = new Map();
  const unused = new Set(Object.keys(fieldExceptions));
  for (const root of roots) define(root);
  if (unused.size > 0) throw new Error(`Exceptions for fields that do not exist: ${[...unused].join(', ')}`);
  return [
    "import { ANY, list, map, OMITTED_FALSE, QUANTITY, type Shape, STRING, set, struct, whole } from '../shape.ts';\n",
    ...constants.values(),
    'export const shapes: { readonly [apiVersionAndKind: string]: Shape } = {',
    ...roots.map((root) => `  '${apiVersionAndKind(schemas[root])}': ${shortName(root)},`),
    '};\n',
  ].join('\n');

  function define(definition) {
    const name = shortName(definition);
    if (constants.has(name)) return name;
    const fields = [];
    for (const [field, schema] of Object.entries(schemas[definition].properties ?? {})) {
      if (field === 'status' || field === 'apiVersion' || field === 'kind') continue;
      const shape = exception(`${name}.${field}`, shapeOf(schema, `${name}.${field}`), isWhole(name, field));
      if (shape !== 'ANY') fields.push(`  ${field}: ${shape},`);
    }
    constants.set(
      name,
      `const ${name} = struct({\n${fields.join('\n')}\n}${structExtra(definition, name)});\n`,
    );
    return name;
  }

  function isWhole(name, field) {
    return union(name, field) && !unions[name].merged?.includes(field);
  }

  function exception(path, shape, isTakenWhole) {
    unused.delete(path);
    const replaced = fieldExceptions[path]?.(shape) ?? shape;
    // One side of a union wins whole; a string has no halves.
    return isTakenWhole && /^[A-Z][a-z]/.test(replaced) ? `whole(${replaced})` : replaced;
  }

  function shapeOf(schema, path) {
    const target = reference(schema);
    if (target !== undefined) {
      if (target.endsWith('.resource.Quantity')) return 'QUANTITY';
      if (schemas[target].properties === undefined) return 'ANY';
      return schemas[target]['x-kubernetes-map-type'] === 'atomic'
        ? `whole(${define(target)})`
        : define(target);
    }
    if (schema.type === 'array') return listShape(schema, path);
    if (schema.additionalProperties) {
      const values = schema.additionalProperties;
      // A map's '' is kept by the API server: only struct fields omit theirs.
      const shape = `map(${values.type === 'string' ? 'ANY' : shapeOf(values, path)})`;
      return schema['x-kubernetes-map-type'] === 'atomic' ? `whole(${shape})` : shape;
    }
    return schema.type === 'string' && !meaningfulEmptyStrings.has(path) ? 'STRING' : 'ANY';
  }

  function listShape(schema, path) {
    const item = shapeOf(schema.items, path);
    const itemDefinition = reference(schema.items);
    const keys = schema['x-kubernetes-list-map-keys'];
    if (keys) {
      const defaults = keyDefaults[itemDefinition ? shortName(itemDefinition) : ''];
      return `list(${quoted(keys)}, ${item}${defaults && Object.keys(defaults).length > 0 ? `, ${literal(defaults)}` : ''})`;
    }
    if (schema['x-kubernetes-list-type'] === 'set') return `set(${item === 'STRING' ? 'ANY' : item})`;
    // Plain JSON already takes lists whole; only values inside a struct need their shape for comparisons.
    return itemDefinition ? `whole(set(${item}))` : 'ANY';
  }

  function union(name, field) {
    return unions[name] !== undefined && !unions[name].except.includes(field);
  }

  function structExtra(definition, name) {
    if (unions[name] === undefined) return '';
    const members = Object.keys(schemas[definition].properties).filter((field) => union(name, field));
    const { unionDefault } = unions[name];
    return `, { union: ${quoted(members)}${unionDefault ? `, unionDefault: ${literal(unionDefault)}` : ''} }`;
  }
}

function apiVersionAndKind(schema) {
  const [{ group, version, kind }] = schema['x-kubernetes-group-version-kind'];
  return `${group === '' ? version : `${group}/${version}`}/${kind}`;
}

function quoted(names) {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}

function literal(object) {
  return `{ ${Object.entries(object)
    .map(([key, value]) => `${key}: '${value}'`)
    .join(', ')} }`;
}
