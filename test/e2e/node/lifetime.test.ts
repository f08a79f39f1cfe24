import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openGuardedFolder } from '../../../src/control-plane/guarded-folder.ts';
import { eventually } from '../../kubernetes/eventually.ts';
import { hierarchies, makeCgroup } from './cgroups.ts';
import { makeNamespaces } from './namespaces.ts';

it('the namespaces end with everything in them, and change nothing on this machine', async () => {
  const links = () => spawnSync('ip', ['-brief', 'link'], { encoding: 'utf8' }).stdout;
  const before = links();
  const folder = openGuardedFolder();
  const namespaces = await makeNamespaces(folder, '198.18.78.2');
  const address = await namespaces.run(namespaces.script('ip', 'ip'), ['-brief', 'address']);
  expect(address).toContain('198.18.78.2/24');
  // Not known to the guard: it ends only because the first process of its namespace does.
  const program = spawn(namespaces.script('sleep', 'sleep'), ['600']);
  await once(program, 'spawn');
  const ended = once(program, 'exit');
  await eventually('it runs', async () =>
    (await namespaces.run(namespaces.script('ps', 'ps'), ['ax'])).includes('sleep 600'),
  );
  expect(links()).toBe(before);

  await folder.remove();
  await ended;
  expect(existsSync(folder.path)).toBe(false);
});

it('cgroups are removed, and so are those of processes that were killed', async () => {
  const [hierarchy = ''] = hierarchies();
  // No process has the largest number.
  const stale = join(hierarchy, 'podgraft-node-4194304', 'pod');
  mkdirSync(stale, { recursive: true });
  const cgroup = makeCgroup();
  expect(existsSync(stale)).toBe(false);
  expect(existsSync(join(hierarchy, cgroup.name))).toBe(true);
  await cgroup.remove();
  expect(existsSync(join(hierarchy, cgroup.name))).toBe(false);
});
