import { expect, test } from 'vitest';
import { planLogMounts } from './log-mounts.ts';
import { logVolumeName } from './volume-name.ts';

const logPath = { text: '', directories: ['/srv/logs'], subfolders: [['', 'srv', 'logs', '**']] };

test('an empty subPath, which the API server drops, does not make another mount', () => {
  const mount = { name: 'logs', mountPath: '/srv/logs' };
  const container = { name: 'web', volumeMounts: [{ ...mount, subPath: '' }] };
  const sidecar = { name: 'filebeat', volumeMounts: [{ ...mount, readOnly: true }] };
  expect(planLogMounts(logPath, [container], sidecar, new Map())).toMatchObject({
    sidecarMounts: [],
    warnings: [],
  });
});

test('thousands of mounts inside a log directory are shared in linear time', () => {
  const volumeMounts = Array.from({ length: 10_000 }, (_, index) => ({
    name: `volume-${index}`,
    mountPath: `/srv/logs/${index}`,
  }));
  const volumes = new Map(volumeMounts.map(({ name }) => [name, { name, emptyDir: {} }]));
  const { sidecarMounts } = planLogMounts(
    logPath,
    [{ name: 'web', volumeMounts }],
    { name: 'filebeat' },
    volumes,
  );
  expect(sidecarMounts).toHaveLength(10_001);
});

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

test('a variable is copied once, however many mounts and variables there are', () => {
  const count = 50_000;
  const container = {
    name: 'web',
    env: many(count).map((index) => ({ name: `E${index}`, value: 'x' })),
    volumeMounts: many(count).map((index) => ({
      name: 'logs',
      mountPath: `/srv/logs/${index}`,
      subPathExpr: `$(E1)/$(E${index})`,
    })),
  };
  const start = performance.now();
  const { env } = planLogMounts(logPath, [container], { name: 'filebeat' }, new Map());
  expect(performance.now() - start).toBeLessThan(5000);
  expect(env).toEqual(container.env);
});

test('equal mounts in thousands of containers take linear time and get few mounts', () => {
  const directories = many(32).map((index) => `/srv/d${index}`);
  const containers = many(2000).map((index) => ({
    name: `c${index}`,
    volumeMounts: many(48).map((mount) => ({ name: 'logs', mountPath: `/srv/d${mount % 32}` })),
  }));
  const start = performance.now();
  const plan = planLogMounts(
    { text: '', directories, subfolders: [] },
    containers,
    { name: 'filebeat' },
    new Map(),
  );
  expect(performance.now() - start).toBeLessThan(5000);
  expect(plan).toMatchObject({ warnings: [], mounts: new Map() });
  expect(plan.sidecarMounts).toHaveLength(32);
});

test('a path with megabytes of slashes or segments is read once', () => {
  const directories = many(32).map((index) => `/srv/d${index}`);
  const subfolders = directories.map((directory) => [...directory.split('/'), '*']);
  const volumeMounts = ['/a'.repeat(2 ** 20), `/srv/d1${'/a'.repeat(2 ** 19)}`, '/'.repeat(2 ** 20)].map(
    (path) => ({ name: 'logs', mountPath: `${path}//x` }),
  );
  const start = performance.now();
  planLogMounts(
    { text: '', directories, subfolders },
    [{ name: 'web', volumeMounts }],
    { name: 'filebeat' },
    new Map(),
  );
  expect(performance.now() - start).toBeLessThan(5000);
});

test.each([
  ['32 directories in 2,000 containers', many(32).map((index) => `/srv/d${index}`), {}],
  ['a long subPath in 2,000 containers', ['/srv/logs'], { subPath: 'x'.repeat(2000) }],
])('too much is refused, and not built: %s', (_, directories, mount) => {
  const source = { name: 'source', volumeMounts: [{ name: 'logs', mountPath: '/srv/logs', ...mount }] };
  const containers = many(2000).map((index) => ({ name: `c${index}` }));
  const plan = planLogMounts(
    { text: '', directories, subfolders: [] },
    [source, ...containers],
    { name: 'filebeat' },
    new Map(),
  );
  const count = `${directories.length} log directories in 2001 containers`;
  expect(plan.problem).toBe(`the mounts of ${count} exceed 1 MiB`);
  expect(JSON.stringify([...plan.mounts]).length).toBeLessThan(2 * 2 ** 20);
});

test('one log directory in 2,000 containers is not too much', () => {
  const containers = many(2000).map((index) => ({ name: `c${index}` }));
  const plan = planLogMounts(logPath, containers, { name: 'filebeat' }, new Map());
  expect(plan.problem).toBeUndefined();
  expect(plan.mounts.size).toBe(2000);
});

test('two directories never share a volume name', () => {
  const directories = ['a', 'b'].map((end) => `/${'x'.repeat(60)}/${end}`);
  const foreign = directories.map((directory) => ({ name: logVolumeName(directory), secret: {} }));
  const volumes = new Map(foreign.map((volume) => [volume.name, volume]));
  const plan = planLogMounts(
    { text: '', directories, subfolders: [] },
    [{ name: 'web' }],
    { name: 'filebeat' },
    volumes,
  );
  expect(new Set(plan.volumes.map(({ name }) => name)).size).toBe(2);
});
