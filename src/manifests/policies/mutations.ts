import { type FieldType, METADATA } from '../../graft/field-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { quoted } from './cel-text.ts';
import { changeText } from './change-text.ts';
import type { Form } from './form.ts';
import { Inexpressible } from './inexpressible.ts';
import { meetingPlace, overlayReads, overlayWrites, type Write } from './overlay-writes.ts';
import { OPERATIONS, PATHS } from './place.ts';
import { type Slice, sliceOverlay } from './slice-overlay.ts';
import { type ExpressionSettings, translateExpressions } from './translate-expressions.ts';

export interface Mutations {
  readonly mutations: readonly JsonObject[];
  /** A CEL list of the paths that the mutations would still change. */
  readonly remaining: string;
}

/** What all kinds have in common. */
export const ANY_KIND: FieldType = {
  type: 'struct',
  name: '*',
  fields: new Map([['metadata', METADATA]]),
};

/** An overlay as the mutations of a policy. A second run of them changes nothing. Throws an Inexpressible. `root` is the type of the kind. */
export function mutationsOf(
  overlay: JsonObject,
  form: Form,
  root: FieldType | undefined,
  settings: ExpressionSettings,
): Mutations {
  const slices = sliceOverlay(translateExpressions(overlay, root, settings), form);
  checkOrder(slices, settings);
  const texts = (writer: typeof PATHS) =>
    slices.map((slice) => changeText(slice, form, writer)).filter((text) => text !== '');
  const remaining = texts(PATHS).join(' +\n');
  if (remaining === '') return { mutations: [], remaining };
  // An ApplyConfiguration needs the kind's schema.
  const metadata = root === ANY_KIND ? undefined : metadataText(overlay);
  if (metadata !== undefined) {
    return {
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: metadata } }],
      remaining,
    };
  }
  return {
    mutations: texts(OPERATIONS).map((expression) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })),
    remaining,
  };
}

/** Expressions see the object before all changes of the overlay, but each mutation of a policy sees those of earlier ones. */
function checkOrder(slices: readonly Slice[], { variables }: ExpressionSettings): void {
  const writes: Write[] = [];
  for (const { overlay } of slices) {
    const place = meetingPlace(overlayReads(overlay, variables), writes);
    if (place !== undefined) {
      throw new Inexpressible(
        `it reads "${place}", which another part of the overlay may have changed by then`,
      );
    }
    writes.push(...overlayWrites(overlay));
  }
}

/** Plain labels and annotations are easier to read as an ApplyConfiguration. It overwrites values, so each has a condition. */
function metadataText({ metadata, ...others }: JsonObject): string | undefined {
  if (Object.keys(others).length > 0 || !isJsonObject(metadata)) return undefined;
  const fields = Object.entries(metadata);
  if (!fields.every(([field, wanted]) => ['labels', 'annotations'].includes(field) && isStrings(wanted))) {
    return undefined;
  }
  const texts = fields.map(([field, wanted]) => {
    const found = `object.metadata.${field}`;
    const entries = Object.entries(wanted as JsonObject).map(([key, value]) => {
      const isSet = `has(${found}) && ${quoted(key)} in ${found}`;
      return `?${quoted(key)}: ${isSet} ? optional.none() : optional.of(${quoted(value as string)})`;
    });
    return `${field}: {\n${entries.map((entry) => `      ${entry}`).join(',\n')}\n    }`;
  });
  return `Object{\n  metadata: Object.metadata{\n    ${texts.join(',\n    ')}\n  }\n}`;
}

function isStrings(value: Json): boolean {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
}
