import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { FieldType } from '../src/graft/field-schema.ts';
import { yamlPlace } from './yaml-place.ts';

/** Kubernetes' fields take up to a megabyte: they are loaded with the first completion. */
const loadFields = () => import('../src/graft/field-schema.ts');

/** Completes fields and enums of Kubernetes' objects. */
export async function completeFields(context: CompletionContext): Promise<CompletionResult | null> {
  const place = yamlPlace(context.state.doc.toString(), context.pos);
  if (place === undefined || (place.from === context.pos && !context.explicit && place.key === undefined))
    return null;
  const { apiVersions, fieldsOf, kindNames, kindType, typeAt } = await loadFields();
  const { apiVersion = '', kind = '', path, key, siblings, from } = place;
  if (path.length === 0 && key === 'kind') return result(from, options(kindNames(apiVersion), 'kind'));
  if (path.length === 0 && key === 'apiVersion') return result(from, options(apiVersions(), 'version'));
  const root = kindType(apiVersion, kind);
  if (root === undefined)
    return path.length === 0 && key === undefined
      ? result(from, keys(['apiVersion', 'kind', 'metadata'], siblings))
      : null;
  const type = typeAt(root, key === undefined ? path : [...path, key]);
  if (type === undefined) return null;
  if (key !== undefined) return result(from, options(valuesOf(type), 'value'));
  const mapping = type.type === 'list' ? type.item : type;
  if (mapping.type === 'enum') return result(from, options(mapping.values, 'value'));
  if (mapping.type !== 'struct') return null;
  return result(
    from,
    [...fieldsOf(mapping)]
      .filter(([name]) => !siblings.includes(name))
      .map(([name, field]) => ({
        label: name,
        type: 'property',
        detail: nameOf(field),
        apply: `${name}:${suffix(field)}`,
      })),
  );
}

function result(from: number, found: readonly Completion[]): CompletionResult | null {
  return found.length === 0 ? null : { from, options: found, validFor: /^[\w.$/-]*$/ };
}

function keys(names: readonly string[], siblings: readonly string[]): readonly Completion[] {
  const free = names.filter((name) => !siblings.includes(name));
  return free.map((label) => ({ label, type: 'property', apply: `${label}: ` }));
}

function options(labels: readonly string[], detail: string): readonly Completion[] {
  return labels.filter((label) => label !== '').map((label) => ({ label, detail, type: 'constant' }));
}

function valuesOf(type: FieldType): readonly string[] {
  if (type.type === 'enum') return type.values;
  return type.type === 'boolean' ? ['true', 'false'] : [];
}

function suffix({ type }: FieldType): string {
  return type === 'list' || type === 'map' || type === 'struct' ? '' : ' ';
}

function nameOf(type: FieldType): string {
  if (type.type === 'list') return `list of ${nameOf(type.item)}`;
  if (type.type === 'map') return `map of ${nameOf(type.values)}`;
  return type.type === 'struct' ? type.name : type.type;
}
