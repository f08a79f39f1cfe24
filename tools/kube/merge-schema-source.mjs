import { reference, shortName } from './openapi.mjs';

/** How a strategic merge patch merges the lists of a Pod, by `x-kubernetes-patch-*`: a constant a definition. */
export function mergeSchemaSource(schemas, root) {
  const constants = new Map();
  define(root);
  return [
    "import type { MergeSchema } from '../merge/strategic-merge.ts';\n",
    ...[...constants.values()].filter((text) => text !== ''),
  ].join('\n');

  /** The name of the constant; undefined if all lists of the definition are replaced. */
  function define(definition) {
    const name = shortName(definition);
    if (!constants.has(name)) {
      constants.set(name, '');
      const fields = Object.entries(schemas[definition].properties ?? {}).flatMap(([field, property]) => {
        const merge = field === 'status' ? '' : mergeOf(property);
        return merge === '' ? [] : [`  ${field}: { ${merge} },`];
      });
      constants.delete(name);
      const text = `export const ${camel(name)}Merge: MergeSchema = {\n${fields.join('\n')}\n};\n`;
      constants.set(name, fields.length === 0 ? '' : text);
    }
    return constants.get(name) === '' ? undefined : `${camel(name)}Merge`;
  }

  function mergeOf(property) {
    const target = reference(property.type === 'array' ? property.items : property);
    const item = target && define(target);
    const merges = property['x-kubernetes-patch-strategy']?.split(',').includes('merge');
    const key = property['x-kubernetes-patch-merge-key'];
    return [
      ...(merges && key ? [`key: '${key}'`] : []),
      ...(merges && !key ? ['set: true'] : []),
      ...(item && (property.type !== 'array' || merges) ? [`item: ${item}`] : []),
    ].join(', ');
  }
}

function camel(name) {
  return name[0].toLowerCase() + name.slice(1);
}
