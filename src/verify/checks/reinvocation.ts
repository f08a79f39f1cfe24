import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { metadataOf } from '../../policy/cluster-objects.ts';
import type { Check } from '../check.ts';
import { differences } from '../differences.ts';
import { DISTURBED } from '../disturber.ts';
import { listed } from './passes.ts';

export const reinvocation: Check = {
  id: 'reinvocation',
  title: "the webhook changes nothing more in the API server's second round",
  why: 'If a later webhook changes the object, the API server calls those with `reinvocationPolicy: IfNeeded` a second time. With an injected container, it does so on every default cluster, since it mounts a token into it.',
  fix: 'Do nothing if an object already has your change.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const request = session.requestFor(subjects, object);
    const once = await session.admit(subjects, request);
    if (!once.allowed || once.object === null) return undefined;
    const again = await session.admit(subjects, request, { disturb: true });
    if (!again.allowed) return { message: `is rejected in the second round: ${again.status.message}` };
    const paths = differences(once.object, undisturbed(again.object ?? {})).map(({ path }) => path);
    if (paths.length === 0) return undefined;
    return { message: `changes the object again in the second round, at ${listed(paths)}`, paths };
  },
};

function undisturbed(object: JsonObject): JsonObject {
  const { annotations, ...metadata } = metadataOf(object);
  const { [DISTURBED]: _, ...rest } = isJsonObject(annotations) ? annotations : {};
  const kept = Object.keys(rest).length > 0 ? { annotations: rest } : {};
  return { ...object, metadata: { ...metadata, ...kept } };
}
