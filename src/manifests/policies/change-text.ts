import { isImplied } from '../../graft/covers.ts';
import {
  absentItem,
  atOf,
  containsDirective,
  forcedValue,
  isAbsent,
  isAtLeast,
  isDirective,
  isForce,
  isTokens,
  minimumOf,
  namePatternOf,
  tokensOf,
  whenOf,
} from '../../graft/directive.ts';
import { fieldShape, type ListShape, type Shape } from '../../graft/shape.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { fieldOf, hasField, patternText, quoted } from './cel-text.ts';
import { all, coversText, equalText } from './covers-text.ts';
import { fittedResources } from './fitted-resources.ts';
import { type Form, podSpecOf } from './form.ts';
import { Inexpressible } from './inexpressible.ts';
import { type ChangeWriter, itemOf, memberOf, type Place, pathText, ROOT } from './place.ts';
import { plainValue } from './plain-value.ts';
import { CONTAINER_LISTS, unsharedContainer, unsharedResources } from './shared-amounts.ts';
import type { Slice } from './slice-overlay.ts';
import { isTranslated } from './translated.ts';
import { literal, valuesText, valueText, withoutCondition } from './value-text.ts';

/**
 * A CEL list of what one slice of an overlay changes, by the rules of the merge. Empty text if it can never change anything.
 * Each part looks at the object before all of them: a slice has no two parts that could meet.
 */
export function changeText(slice: Slice, form: Form, writer: ChangeWriter): string {
  return new ChangeText(slice, podSpecOf(form), writer).object(slice.overlay, ROOT, form.shape).join(' +\n');
}

class ChangeText {
  readonly #slice: Slice;
  readonly #podSpec: Place | undefined;
  readonly #writer: ChangeWriter;
  #depth = 0;

  constructor(slice: Slice, podSpec: Place | undefined, writer: ChangeWriter) {
    this.#slice = slice;
    this.#podSpec = podSpec;
    this.#writer = writer;
  }

  /** Lists to be joined, for an object that exists. */
  object(overlay: JsonObject, place: Place, shape: Shape): readonly string[] {
    return Object.entries(overlay).flatMap(([key, wanted]) => {
      if (wanted === null || isDirective(key)) return [];
      const when = whenOf(wanted);
      if (when !== undefined) {
        const rest = this.object({ [key]: withoutCondition(wanted as JsonObject) }, place, shape);
        return rest.length === 0 ? [] : [`(${when} ? ${sum(rest)} : [])`];
      }
      const inner = fieldShape(shape, key);
      if (shape.type === 'struct' && shape.union?.has(key)) {
        return this.#unionMember(
          key,
          wanted,
          place,
          inner,
          [...shape.union],
          shape.unionDefault !== undefined,
        );
      }
      return this.#member(key, wanted, place, inner);
    });
  }

  #unionMember(
    key: string,
    wanted: Json,
    place: Place,
    shape: Shape,
    union: readonly string[],
    hasDefault: boolean,
  ): readonly string[] {
    if (isAbsent(wanted)) return this.#member(key, wanted, place, shape);
    const rivals = literal(union.filter((name) => name !== key));
    if (isForce(wanted)) {
      const path = pathText(place, '/');
      const removals = `${rivals}.filter(r, r in ${place.value}).map(r, ${this.#writer.remove(`${path} + r`)})`;
      return [removals, ...this.#member(key, wanted, place, shape)];
    }
    const isFree = hasDefault && !isTokens(wanted) ? 'false' : `!${rivals}.exists(r, r in ${place.value})`;
    return this.#member(key, wanted, place, shape, isFree);
  }

  /** `isFree` is a condition for adding the member where it is absent. */
  #member(key: string, wanted: Json, place: Place, shape: Shape, isFree = 'true'): readonly string[] {
    const own = memberOf(place, key);
    const path = pathText(own);
    const has = hasField(place.value, key);
    if (isForce(wanted)) {
      const value = forcedValue(wanted);
      if (isTranslated(value)) return this.#forced(value, own, has, shape);
      if (valueText(value).isOptional) throw new Inexpressible('conditions inside "$force"');
      const covers = coversText(own.value, value, shape);
      const isDone = isImplied(value, shape) ? `!(${has}) || ${covers}` : all([has, covers]);
      return [`(${isDone} ? [] : ${this.#add(path, value)})`];
    }
    if (isAbsent(wanted)) return [`(${has} ? [${this.#writer.remove(path)}] : [])`];
    if (isTokens(wanted)) return this.#tokens(tokensOf(wanted), own, has, isFree);
    if (isAtLeast(wanted)) return this.#atLeast(minimumOf(wanted), own, has, isFree);
    if (isTranslated(wanted)) return this.#filled(wanted, own, has, shape, isFree);
    // The API server writes both for all objects of its own kinds.
    if (place === ROOT && isJsonObject(wanted) && shape.type === 'struct')
      return this.object(wanted, own, shape);
    const hasAmounts = key === 'resources' && isJsonObject(wanted);
    const fitted = hasAmounts ? this.#unshared(fittedResources(wanted, own.value), place) : wanted;
    const added = this.#unsharedItems(
      plainValue(key, hasAmounts ? this.#unshared(wanted, place) : wanted, shape),
      wanted,
      own,
    );
    const whenAbsent = added === undefined || isFree === 'false' ? '' : this.#add(path, added);
    const whenPresent = sum(this.#present(fitted, own, shape));
    if (whenAbsent === '' && whenPresent === '') return [];
    const absent = isFree === 'true' || whenAbsent === '' ? whenAbsent : `(${isFree} ? ${whenAbsent} : [])`;
    return [`(${has} ? ${whenPresent || '[]'} : ${absent || '[]'})`];
  }

  /** Resources of a container without defaults of what the whole Pod sets. */
  #unshared(resources: JsonObject, { path }: Place): JsonObject {
    const spec = this.#podSpec;
    if (spec === undefined) return resources;
    return isContainerList(path.slice(0, -2), spec) ? unsharedResources(resources, spec.value) : resources;
  }

  /** The same for a list of containers that is added. */
  #unsharedItems(added: Json | undefined, wanted: Json, { path }: Place): Json | undefined {
    const spec = this.#podSpec;
    if (spec === undefined || !isJsonArray(added) || !isContainerList(path, spec)) return added;
    const items = isJsonArray(wanted) ? wanted : [];
    return added.map((container) => unsharedContainer(container, items, spec.value));
  }

  /** A list of the operation that adds a value, or an empty one if a condition does not hold. */
  #add(path: string, value: Json): string {
    const { text, isOptional } = valueText(value);
    if (!isOptional) return `[${this.#writer.add(path, text)}]`;
    return `[${text}].filter(o, o.hasValue()).map(o, ${this.#writer.add(path, 'o.value()')})`;
  }

  #filled(value: JsonObject, place: Place, has: string, shape: Shape, isFree: string): readonly string[] {
    if (isFree === 'false') return [];
    const values = valuesText(value);
    const path = pathText(place);
    const isWanted = all([isFree, ...wanting('v', shape)]);
    const filter = isWanted === 'true' ? '' : `.filter(v, ${isWanted})`;
    return [`(${has} ? [] : ${values}${filter}.map(v, ${this.#writer.add(path, 'v')}))`];
  }

  #forced(value: JsonObject, place: Place, has: string, shape: Shape): readonly string[] {
    const isWanted = `(${has}) ? !(${equalText(place.value, 'v', shape)}) : ${all(wanting('v', shape))}`;
    const change = this.#writer.add(pathText(place), 'v');
    return [`${valuesText(value)}.filter(v, ${isWanted}).map(v, ${change})`];
  }

  #present(wanted: Json, place: Place, shape: Shape): readonly string[] {
    if (isJsonObject(wanted)) {
      if (shape.type === 'whole') return this.#whole(wanted, place, shape.inner);
      const changes = this.object(wanted, place, shape);
      // Unknown fields may not be maps.
      return shape.type === 'any' && changes.length > 0
        ? [`(type(${place.value}) == map ? ${sum(changes)} : [])`]
        : changes;
    }
    if (!isJsonArray(wanted)) return [];
    if (shape.type === 'list') return this.#list(wanted, place, shape);
    if (shape.type === 'set') return this.#set(wanted, place, shape.item);
    return [];
  }

  /** Only directives change parts of a value that is set as a whole. */
  #whole(wanted: JsonObject, place: Place, shape: Shape): readonly string[] {
    return Object.entries(wanted).flatMap(([key, want]): readonly string[] => {
      if (isDirective(key)) return [];
      const when = whenOf(want);
      if (when !== undefined) {
        const rest = this.#whole({ [key]: withoutCondition(want as JsonObject) }, place, shape);
        return rest.length === 0 ? [] : [`(${when} ? ${sum(rest)} : [])`];
      }
      const inner = fieldShape(shape, key);
      const own = memberOf(place, key);
      const has = hasField(place.value, key);
      if (isAtLeast(want)) return this.#atLeast(minimumOf(want), own, has, 'false');
      if (isForce(want) || isAbsent(want) || isTokens(want)) return this.#member(key, want, place, inner);
      if (!isJsonObject(want) || !containsDirective(want)) return [];
      const changes = this.#whole(want, own, inner);
      return changes.length === 0 ? [] : [`(${has} ? ${sum(changes)} : [])`];
    });
  }

  #tokens(
    { separator, parts }: { readonly separator: string; readonly parts: readonly string[] },
    place: Place,
    has: string,
    isFree: string,
  ): readonly string[] {
    if (parts.length === 0) return [];
    const end = quoted(separator);
    const extend = parts
      .map((part) => {
        const token = quoted(part);
        const joined = `t == '' ? ${token} : t.endsWith(${end}) ? t + ${token} : t + ${end} + ${token}`;
        return `.map(t, (${end} + t + ${end}).contains(${quoted(separator + part + separator)}) ? t : ${joined})`;
      })
      .join('');
    const text = `[string(${place.value})]${extend}[0]`;
    const path = pathText(place);
    const replaced = `(${text} == ${place.value} ? [] : [${this.#writer.add(path, text)}])`;
    const added = `['']${extend}.filter(t, t != '').map(t, ${this.#writer.add(path, 't')})`;
    const free = isFree === 'true' ? added : `(${isFree} ? ${added} : [])`;
    return [`(${has} ? ${replaced} : ${free})`];
  }

  #atLeast(minimum: Json, place: Place, has: string, isFree: string): readonly string[] {
    if (isTranslated(minimum)) {
      const isLess = `quantity(string(${place.value})).isLessThan(quantity(string(v)))`;
      const change = this.#writer.add(pathText(place), 'v');
      return [`${valuesText(minimum)}.filter(v, (${has}) ? ${isLess} : ${isFree}).map(v, ${change})`];
    }
    const wanted = literal(minimum);
    const isLess =
      typeof minimum === 'number'
        ? `type(${place.value}) == string ? quantity(string(${place.value})).isLessThan(quantity(string(${wanted}))) : ${place.value} < ${wanted}`
        : `quantity(string(${place.value})).isLessThan(quantity(string(${wanted})))`;
    const change = this.#add(pathText(place), minimum);
    const added = isFree === 'true' ? change : isFree === 'false' ? '[]' : `(${isFree} ? ${change} : [])`;
    return [`(${has} ? ((${isLess}) ? ${change} : []) : ${added})`];
  }

  /** Changes of items, then removals from the end, then additions, so that indices stay what they are. */
  #list(wanted: readonly Json[], place: Place, shape: ListShape): readonly string[] {
    const changes: string[] = [];
    const removals: string[] = [];
    const additions: string[] = [];
    for (const item of wanted) {
      if (!isJsonObject(item)) continue;
      const named = (isAbsent(item) ? absentItem(item) : item) as JsonObject;
      const pattern = namePatternOf(named);
      const match = (each: string) =>
        pattern === undefined
          ? keysText(each, named, shape)
          : pattern === '*'
            ? 'true'
            : `${each}.name.matches(${patternText([pattern])})`;
      const when = whenOf(item) ?? 'true';
      if (isAbsent(item)) {
        removals.push(all([match('e'), when]));
        continue;
      }
      changes.push(...this.#items(item, place, shape, match, pattern !== undefined));
      if (pattern !== undefined) continue;
      const value = this.#slice.additions.get(item);
      if (value === undefined) continue;
      const bare = isJsonObject(value) ? withoutCondition(value) : value;
      const exists = `${place.value}.exists(e, ${match('e')})`;
      const insertion = this.#insertion(item, bare, place, shape);
      const added = when === 'true' ? insertion : `(${when} ? ${insertion} : [])`;
      additions.push(`(${exists} ? [] : ${added})`);
    }
    return [...changes, ...this.#removal(removals, place), ...additions];
  }

  #items(
    item: JsonObject,
    place: Place,
    shape: ListShape,
    match: (each: string) => string,
    isPattern: boolean,
  ): readonly string[] {
    this.#depth++;
    // Expressions of an overlay call the item that a pattern matched `item`.
    const [index, each] = [`i${this.#depth}`, isPattern ? 'item' : `item${this.#depth}`];
    const fields = Object.fromEntries(Object.entries(item).filter(([key]) => !shape.keys.includes(key)));
    const inner = itemOf(place, index, each);
    const changes = sum(
      shape.item.type === 'whole'
        ? this.#whole(fields, inner, shape.item.inner)
        : this.object(fields, inner, shape.item),
    );
    this.#depth--;
    if (changes === '') return [];
    // If keys are repeated, as names of env may be, the last item counts.
    const isLast = isPattern ? 'true' : `!${place.value}.exists(k, e, k > ${index} && ${match('e')})`;
    const condition = all([match(each), isLast, whenOf(item) ?? 'true']);
    const filter = condition === 'true' ? '' : `${condition}, `;
    return [`${place.value}.transformList(${index}, ${each}, ${filter}${changes}).flatten()`];
  }

  #removal(conditions: readonly string[], place: Place): readonly string[] {
    if (conditions.length === 0) return [];
    const { value } = place;
    const isDoomed = `[${value}[i]].exists(e, ${conditions.map((each) => `(${each})`).join(' || ')})`;
    const path = pathText(itemOf(place, 'i', ''));
    return [
      `lists.range(size(${value})).reverse().filter(i, ${isDoomed}).map(i, ${this.#writer.remove(path)})`,
    ];
  }

  #insertion(item: JsonObject, value: Json, place: Place, shape: ListShape): string {
    const at = atOf(item) ?? 'last';
    const add = (index: string) =>
      `[${index}].map(n, ${this.#add(pathText(itemOf(place, 'n', '')), value)}).flatten()`;
    const last = this.#add(pathText(place, '/-'), value);
    if (at === 'last' || (typeof at === 'object' && 'last' in at)) return last;
    const [key] = shape.keys;
    const name = (each: string) => fieldOf(each, key);
    if (at === 'first' || 'first' in at) {
      const steps = (this.#slice.firsts.get(item) ?? [])
        .map(
          (before) =>
            `.map(n, size(${place.value}) > n && ${name(`${place.value}[n]`)} == ${quoted(before)} ? n + 1 : n)`,
        )
        .join('');
      return add(`[0]${steps}[0]`);
    }
    const anchor = `${place.value}.map(e, ${name('e')}).lastIndexOf(${quoted('before' in at ? at.before : at.after)})`;
    return `(${anchor} < 0 ? ${last} : ${add('before' in at ? anchor : `${anchor} + 1`)})`;
  }

  #set(wanted: readonly Json[], place: Place, shape: Shape): readonly string[] {
    const removals = wanted.flatMap((item) =>
      isAbsent(item) ? [all([coversText('e', absentItem(item), shape), whenOf(item) ?? 'true'])] : [],
    );
    const values = wanted.filter((item) => !isAbsent(item));
    const isFirst = values.some((item) => atOf(item) === 'first');
    if (isFirst && values.length > 1)
      throw new Inexpressible('"$at: first" for several items of a list without keys');
    const added = plainValue('items', values, { type: 'set', item: shape });
    return [
      ...this.#removal(removals, place),
      ...(isJsonArray(added) ? added : []).map((value) => {
        const exists = `${place.value}.exists(e, ${coversText('e', value, shape)})`;
        return `(${exists} ? [] : ${this.#add(pathText(place, isFirst ? '/0' : '/-'), value)})`;
      }),
    ];
  }
}

function isContainerList(path: Place['path'], spec: Place): boolean {
  return CONTAINER_LISTS.some((list) => path.join('') === `${spec.path.join('')}/${list}`);
}

function keysText(each: string, item: JsonObject, shape: ListShape): string {
  return all(
    shape.keys.map((key) => {
      const fallback = shape.keyDefaults[key];
      const wanted = literal(item[key] ?? fallback ?? null);
      if (fallback === undefined) return `${fieldOf(each, key)} == ${wanted}`;
      return `(${hasField(each, key)} ? ${fieldOf(each, key)} : ${literal(fallback)}) == ${wanted}`;
    }),
  );
}

/** Conditions for adding a value that only the API server knows: an empty one means the same as none. */
function wanting(value: string, shape: Shape): readonly string[] {
  return shape.type === 'omitted' ? [`${value} != ${literal(shape.zero)}`] : [];
}

function sum(lists: readonly string[]): string {
  return lists.join(' + ');
}
