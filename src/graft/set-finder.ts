import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { member } from '../json/member.ts';
import { covers } from './covers.ts';
import { fieldShape, itemShape, type Shape } from './shape.ts';

/** Searching is fastest for the lists of real Pods. Beyond this many comparisons, indices keep the time linear. */
const MOST_COMPARISONS = 4096;

/** Items of one type leave out few combinations of fields. Each combination has its own index. */
const MOST_INDICES = 64;

/** Finds values that a keyless list already covers, while the list changes. */
export class SetFinder {
  readonly #list: { readonly items: readonly Json[] };
  readonly #item: Shape;
  readonly #indices: Map<string, Index> | undefined;

  constructor(list: { readonly items: readonly Json[] }, searches: number, item: Shape) {
    this.#list = list;
    this.#item = item;
    // Searches may add an item each.
    if ((list.items.length + searches) * searches > MOST_COMPARISONS) this.#indices = new Map();
  }

  has(wanted: Json): boolean {
    const index = this.#indices && this.#indexFor(wanted, this.#indices);
    if (index === undefined) return this.#list.items.some((item) => covers(item, wanted, this.#item));
    return index.texts.has(textAt(wanted, wanted, this.#item) ?? '');
  }

  /** To be called after an item was added. */
  add(item: Json): void {
    for (const index of this.#indices?.values() ?? []) addTo(index, item, this.#item);
  }

  /** To be called after items were removed. */
  reset(): void {
    this.#indices?.clear();
  }

  #indexFor(wanted: Json, indices: Map<string, Index>): Index | undefined {
    const outline = outlineOf(wanted, this.#item);
    if (outline === undefined) return undefined;
    const known = indices.get(outline);
    if (known !== undefined || indices.size === MOST_INDICES) return known;
    const index: Index = { sample: wanted, texts: new Set() };
    for (const item of this.#list.items) addTo(index, item, this.#item);
    indices.set(outline, index);
    return index;
  }
}

/** Each item serialized to the fields of the sample. All values with its outline have these fields. */
interface Index {
  readonly sample: Json;
  readonly texts: Set<string>;
}

function addTo({ sample, texts }: Index, item: Json, shape: Shape): void {
  const text = textAt(item, sample, shape);
  if (text !== undefined) texts.add(text);
}

/**
 * The places of a value, with its empty values, which a missing field covers. Undefined if it has quantities: those are the same
 * in several spellings.
 */
function outlineOf(value: Json, shape: Shape): string | undefined {
  if (shape.type === 'quantity') return undefined;
  if (isJsonArray(value)) {
    const items = value.map((item) => outlineOf(item, itemShape(shape)));
    return items.includes(undefined) ? undefined : `[${items}]`;
  }
  if (!isJsonObject(value)) return covers(undefined, value, shape) ? JSON.stringify(value) : '?';
  let text = '{';
  for (const key in value) {
    const outline = outlineOf(value[key] as Json, fieldShape(shape, key));
    if (outline === undefined) return undefined;
    text += `${JSON.stringify(key)}:${outline},`;
  }
  return `${text}}`;
}

/**
 * Serializes the sample's fields of an item; undefined if one is missing. The item covers a value with these fields exactly if the
 * serialized value is the same.
 */
function textAt(item: Json | undefined, sample: Json, shape: Shape): string | undefined {
  if (item === undefined || item === null)
    return covers(undefined, sample, shape) ? JSON.stringify(sample) : undefined;
  if (isJsonArray(sample)) {
    if (!isJsonArray(item) || item.length !== sample.length) return undefined;
    const texts = sample.map((each, index) => textAt(item[index], each, itemShape(shape)));
    return texts.includes(undefined) ? undefined : `[${texts}]`;
  }
  if (!isJsonObject(sample)) return JSON.stringify(item);
  if (!isJsonObject(item)) return undefined;
  let text = '{';
  for (const key in sample) {
    const part = textAt(member(item, key), sample[key] as Json, fieldShape(shape, key));
    if (part === undefined) return undefined;
    text += text === '{' ? part : `,${part}`;
  }
  return `${text}}`;
}
