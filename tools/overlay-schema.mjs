import { DIRECTIVE } from '../dist/graft/directive.js';
import { fieldsOf, kindType } from '../dist/graft/field-schema.js';

const { force, absent, tokens, atLeast, at, cel, when } = DIRECTIVE;

const KINDS = {
  Pod: 'v1',
  ReplicationController: 'v1',
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
};

/**
 * JSON Schema for the overlays of Pods and workloads, so that editors complete their fields: `definitions`, and the rules
 * that choose among them by `match.kinds`. Other kinds are checked by podgraft only.
 */
export function overlaySchema() {
  const definitions = { ...SCALARS, ...DIRECTIVES };
  const rules = Object.entries(KINDS).map(([kind, apiVersion]) => ({
    if: {
      properties: { use: { const: 'overlay' }, ...conditionFor(kind) },
      // An entry without kinds is for Pods.
      ...(kind !== 'Pod' && { required: ['match'] }),
    },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { properties: { with: { properties: { overlay: struct(kindType(apiVersion, kind)) } } } },
  }));
  return { definitions, rules };

  function conditionFor(kind) {
    const kinds = { contains: { const: kind } };
    return {
      match: { properties: { kinds }, ...(kind !== 'Pod' && { required: ['kinds'] }) },
      with: { properties: { unknownFields: { const: 'error' } } },
    };
  }

  function struct(type) {
    if (definitions[type.name] === undefined) {
      definitions[type.name] = {};
      const properties = { [at]: ref(at), [when]: ref(when) };
      for (const [name, field] of fieldsOf(type)) properties[name] = fieldSchema(field);
      definitions[type.name] = { type: ['object', 'null'], properties, additionalProperties: false };
    }
    return ref(type.name);
  }

  /** A value, or a directive in its place. */
  function fieldSchema(type) {
    if (type.type === 'any') return {};
    if (type.type !== 'struct' && SCALARS[type.type] === undefined) return withDirectives(valueSchema(type));
    const name = `${type.name ?? type.type}?`;
    definitions[name] ??= withDirectives(valueSchema(type), type.type);
    return ref(name);
  }

  function withDirectives(value, type) {
    return {
      anyOf: [
        value,
        {
          type: 'object',
          properties: { [force]: { anyOf: [value, ref(cel)] }, [when]: ref(when) },
          required: [force],
          additionalProperties: false,
        },
        ref(cel),
        ref(absent),
        ...(type === 'string' ? [ref(tokens)] : []),
        ...(COMPARABLE.includes(type) ? [ref(atLeast)] : []),
        { type: 'null' },
      ],
    };
  }

  function valueSchema(type) {
    switch (type.type) {
      case 'struct':
        return struct(type);
      case 'list':
        return { type: 'array', items: itemSchema(type.item) };
      case 'map':
        return {
          type: 'object',
          properties: { [when]: ref(when) },
          additionalProperties: fieldSchema(type.values),
        };
      case 'enum':
        return { enum: type.values };
      default:
        return ref(type.type);
    }
  }

  function itemSchema(type) {
    const item = valueSchema(type);
    const removal = {
      properties: { [absent]: item, [when]: ref(when) },
      required: [absent],
      additionalProperties: false,
    };
    return { anyOf: [item, { type: 'object', ...removal }, ref(cel)] };
  }
}

const COMPARABLE = ['int32', 'int64', 'number', 'quantity', 'port', 'intOrString', 'portOrName'];

const PORT = { type: 'integer', minimum: 1, maximum: 65535 };

const SCALARS = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer' },
  int64: { type: 'integer' },
  number: { type: 'number' },
  quantity: {
    anyOf: [
      { type: 'number' },
      { type: 'string', pattern: '^\\+?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+|[KMGTPE]i|[numkMGTPE])?$' },
    ],
  },
  port: PORT,
  intOrString: { type: ['integer', 'string'] },
  portOrName: { anyOf: [PORT, { type: 'string' }] },
  object: { type: 'object' },
};

const name = { type: 'string' };
const keep = { type: 'boolean' };
const place = (property, value) => ({
  type: 'object',
  properties: { [property]: value, keep },
  required: [property],
  additionalProperties: false,
});

const WHEN = { type: 'string', description: 'A CEL expression: the part applies only if it is true' };

const DIRECTIVES = {
  [when]: WHEN,
  [cel]: directive(cel, 'The value of a CEL expression', { type: 'string' }),
  [absent]: directive(absent, 'Removes the field', { const: true }),
  [tokens]: directive(tokens, 'Appends missing parts to the text', {
    type: 'object',
    properties: { separator: { type: 'string' }, parts: { type: 'array', items: { type: 'string' } } },
    required: ['separator', 'parts'],
    additionalProperties: false,
  }),
  [atLeast]: directive(atLeast, 'Raises a smaller number or quantity', {
    anyOf: [{ type: ['number', 'string'] }, ref(cel)],
  }),
  [at]: {
    description: 'Where an item of a list is inserted; with keep: where it must stay',
    anyOf: [
      { enum: ['first', 'last'] },
      place('first', { const: true }),
      place('last', { const: true }),
      place('before', name),
      place('after', name),
    ],
  },
};

function directive(key, description, value) {
  return {
    type: 'object',
    description,
    properties: { [key]: value, [when]: WHEN },
    required: [key],
    additionalProperties: false,
  };
}

function ref(definition) {
  return { $ref: `#/definitions/${definition}` };
}
