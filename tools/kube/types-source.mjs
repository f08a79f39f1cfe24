import { reference, shortName } from './openapi.mjs';

/** Interfaces for the root kinds and all they contain. */
export function typesSource(schemas, roots) {
  const interfaces = new Map();
  for (const root of roots) define(root);
  return `${[...interfaces.values()].join('\n')}`;

  function define(definition) {
    const name = shortName(definition);
    if (interfaces.has(name)) return name;
    interfaces.set(name, '');
    const schema = schemas[definition];
    const isKind = schema['x-kubernetes-group-version-kind'] !== undefined;
    const lines = Object.entries(schema.properties ?? {}).map(([field, property]) => {
      // The edge rejects a Pod without metadata or spec; inside, they always exist.
      const required = schema.required?.includes(field) || (isKind && ['metadata', 'spec'].includes(field));
      return `  ${JSON.stringify(field).replace(/^"(\w+)"$/, '$1')}${required ? '' : '?'}: ${typeOf(property)};`;
    });
    interfaces.set(name, `export interface ${name} {\n${lines.join('\n')}\n}\n`);
    return name;
  }

  function typeOf(schema) {
    const target = reference(schema);
    if (target !== undefined) return referenced(target);
    if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
    if (schema.type === 'array') {
      const item = typeOf(schema.items);
      return item.includes(' ') ? `(${item})[]` : `${item}[]`;
    }
    if (schema.additionalProperties) return `{ [key: string]: ${typeOf(schema.additionalProperties)} }`;
    if (schema.type === 'object') return '{ [key: string]: unknown }';
    return (
      { string: 'string', boolean: 'boolean', integer: 'number', number: 'number' }[schema.type] ?? 'unknown'
    );
  }

  function referenced(target) {
    const schema = schemas[target];
    if (schema.properties) return define(target);
    if (schema.oneOf || schema.format === 'int-or-string') return 'string | number';
    return schema.type === 'string' ? 'string' : '{ [key: string]: unknown }';
  }
}
