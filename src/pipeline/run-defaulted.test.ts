import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { textFiles } from '../files/text-files.ts';
import { loadCatalog } from '../injectors/catalog.ts';
import { applyPatch } from '../json/apply-patch.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { withDefaults } from '../kube/api-defaults.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { type Case, readCases } from '../testing/cases.ts';
import { createPipeline } from './pipeline.ts';
import { runDefaulted } from './run-defaulted.ts';
import { requestFor } from './run-manifest.ts';
import { runAndValidate } from './validate-stages.ts';

const catalog = await loadCatalog();

/** Applying what is printed gives what the cluster would store, for the cases of all injectors. */
describe.each(catalog.map((injector) => [injector.name, injector] as const))('%s', (name, injector) => {
  const folder = new URL(`../injectors/${name}/cases/`, import.meta.url);
  const cases = existsSync(folder) ? readCases(folder) : [];

  test.each(cases.map((each) => [each.name, each] as const))('case %s', async (_, each: Case) => {
    const { settings, objects } = each;
    const cluster = filesView(objects);
    const files = textFiles(settings.files);
    await injector.prepare?.(settings.with);
    const config = injector.config?.(settings.with);
    const match = settings.match && { match: settings.match };
    const pipeline = createPipeline([{ name, injector, config, ...match }]);
    for (const object of objects) {
      const request = requestFor(object, {
        operation: settings.operation,
        namespace: settings.namespace,
        username: settings.user,
      });
      const { outcome } = runDefaulted(pipeline, request, object, cluster, files, []);
      const stored = runAndValidate(pipeline, request, withDefaults(object), cluster, files);
      expect(outcome.allowed).toBe(stored.allowed);
      if (!outcome.allowed || !stored.allowed) continue;
      expect(applyPatch(asJson(object), outcome.patch)).toEqual(outcome.object);
      expect(withDefaults(outcome.object)).toEqual(withDefaults(stored.object));
      if (stored.patch.length === 0) expect(outcome.object).toBe(object);
      expect(needless(outcome.object, object)).toEqual([]);
    }
  });
});

/** Fields of the whole Pod that are printed although they only have their default. */
function needless(printed: KubeObject, object: KubeObject): string[] {
  const { spec } = asJson(printed);
  const before = asJson(object).spec;
  if (!isJsonObject(spec) || !isJsonObject(before) || isJsonArray(spec)) return [];
  const defaults = asJson(withDefaults({ ...printed, spec: {} })).spec as JsonObject;
  return Object.keys(defaults).filter(
    (key) => before[key] === undefined && spec[key] !== undefined && isSame(spec[key], defaults[key] as Json),
  );
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
