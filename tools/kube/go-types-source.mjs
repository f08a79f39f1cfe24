import { goNames, goStructs } from './go-structs.mjs';
import { reference, shortName } from './openapi.mjs';

/** The Go structs of a Pod as TypeScript: a line of fields each, in the notation of src/injectors/istio/pod-types/go-type.ts. */
export function goTypesSource(schemas) {
  const definitions = new Map(Object.keys(schemas).map((definition) => [shortName(definition), definition]));
  const lines = Object.entries(goStructs).map(([name, fields]) => {
    const schema = schemas[definitions.get(name)];
    const marked = fields.trim().split(/\s+/).map(readField);
    requireSameFields(name, marked, schema);
    return `  ${name}: '${marked.map((field) => fieldSource(field, schema)).join(' ')}',`;
  });
  return ['/** Fields in the order of Go. */', 'export const structs = {', ...lines, '} as const;\n'].join(
    '\n',
  );

  function fieldSource({ name, marks }, schema) {
    const property = schema.properties[name];
    const isStruct = property.default !== undefined && goStructs[structName(property)] !== undefined;
    const isRequired = schema.required?.includes(name) && !marks.includes('?');
    const isWritten = isRequired || isStruct || marks.includes('!');
    const kind = `${marks.includes('*') ? '*' : ''}${kindOf(property)}`;
    const go = goNames[name] === undefined ? '' : `/${goNames[name]}`;
    return `${name}${go}:${kind}${isWritten ? '!' : ''}`;
  }

  function kindOf(property) {
    const target = reference(property);
    if (target !== undefined) {
      if (target.endsWith('.Quantity')) return 'quantity';
      const name = structName(property);
      if (name === undefined) return 'any';
      return property.default === undefined ? `*${name}` : name;
    }
    if (property.type === 'array') {
      if (property.items.type === 'string') return 'strings';
      const name = structName(property.items);
      return name === undefined ? 'any' : `[]${name}`;
    }
    if (property.additionalProperties) {
      if (property.additionalProperties.type === 'string') return 'stringMap';
      return reference(property.additionalProperties)?.endsWith('.Quantity') ? 'quantities' : 'any';
    }
    return { string: 'string', boolean: 'bool', integer: property.format }[property.type] ?? 'any';
  }

  /** Undefined for what is plain data. */
  function structName(property) {
    const target = reference(property);
    const name = target && shortName(target);
    return goStructs[name] === undefined ? undefined : name;
  }
}

function readField(text) {
  const [, name, marks] = /^(\w+)([*!?]*)$/.exec(text);
  return { name, marks };
}

function requireSameFields(name, fields, schema) {
  const listed = fields.map((field) => field.name).sort();
  const found = Object.keys(schema?.properties ?? {}).sort();
  if (listed.join() !== found.join())
    throw new Error(`Fields of ${name} differ:\n  go-structs.mjs: ${listed}\n  OpenAPI: ${found}`);
}
