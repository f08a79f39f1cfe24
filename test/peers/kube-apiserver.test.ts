import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HookServer, startHookServer } from '../admission-scenarios/hook-server.ts';
import { modelServer } from '../admission-scenarios/model-server.ts';
import { pluginsOf, usersOf, withHooks } from '../admission-scenarios/play.ts';
import { expectedAnswer, normalised, reduceAnswer } from '../admission-scenarios/reduce.ts';
import { readScenarios } from '../admission-scenarios/scenario.ts';
import { peersFolder } from './peers-folder.ts';

const folder = peersFolder('kube-apiserver');
const all = folder === undefined ? [] : readScenarios(folder);

/** Scenarios that the model does not play, each with the reason. */
const leftOut: { readonly [name: string]: string } = {
  'map-matchcondition-sees-other-map-random':
    'the API server runs policies in random order, the model by name',
};

describe.skipIf(folder === undefined)('the admission phase of kube-apiserver 1.36.4', () => {
  let hooks: HookServer;
  beforeAll(async () => {
    hooks = await startHookServer();
  });
  afterAll(() => hooks.stop());

  it('fewer than 5 in 100 scenarios are left out, and each is one of them', () => {
    const names = all.map(({ name }) => name);
    expect(Object.keys(leftOut).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(leftOut).length / all.length).toBeLessThan(0.05);
  });

  it.each(all.filter(({ name }) => !(name in leftOut)))('$topic: $name', async (scenario) => {
    const server = modelServer({ plugins: pluginsOf(scenario), users: usersOf(scenario) });
    hooks.play(scenario.hooks);
    for (const request of scenario.setup ?? []) await server.send(request);
    for (const configuration of scenario.configs) {
      const rejected = server.configure(withHooks(configuration, scenario, hooks));
      expect(normalised(rejected)).toEqual(normalised(scenario.observed.configRejected?.body));
    }
    for (const [index, request] of (scenario.requests ?? []).entries()) {
      const expected = scenario.observed.results?.[index];
      if (expected === undefined) throw new Error('no recorded result');
      hooks.takeCalls();
      const answer = await server.send(request);
      const found = { ...answer, calls: hooks.takeCalls() };
      expect(reduceAnswer(found, expected, scenario)).toEqual(expectedAnswer(expected, scenario, true));
    }
  });
});
