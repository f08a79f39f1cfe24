import { expect, test } from 'vitest';
import { AuditLog } from './audit-log.ts';
import { type SampleWrite, sampleEvent } from './sample-events.fixture.ts';

const BYTES = Buffer.from('');

/** The loops that a log of these events has. */
function loopsIn(events: readonly object[], options = {}) {
  const log = new AuditLog(options);
  log.add(Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('')));
  log.end();
  return { loops: log.finder.loops(), counts: log.counts };
}

/** Two controllers that set a label in turns. */
function fight(times: number, sample: Partial<SampleWrite> = {}): object[] {
  return Array.from({ length: times }, (_, index) =>
    sampleEvent({
      version: index + 1,
      user: index % 2 === 0 ? 'adder' : 'remover',
      labels: index % 2 === 0 ? { app: 'web', team: 'a' } : { app: 'web' },
      ...sample,
    }),
  );
}

test('names the field, both writers and their values', () => {
  const { loops } = loopsIn(fight(11));
  expect(loops).toHaveLength(1);
  const [loop] = loops;
  expect(loop).toMatchObject({
    resource: 'pods',
    namespace: 'default',
    name: 'web',
    path: '/metadata/labels/team',
  });
  expect(loop?.returns).toBe(9);
  expect(loop?.shares.map(({ writer, value, count }) => [writer.name, value, count])).toEqual([
    ['remover', '(absent)', 5],
    ['adder', '"a"', 5],
  ]);
  expect(loop?.last).toBeGreaterThan(loop?.first ?? 0);
});

test('finds the same in any order of the log', () => {
  const events = fight(40);
  const expected = loopsIn(events).loops;
  const reversed = events.toReversed();
  const byServer = [
    ...events.filter((_, index) => index % 2 === 0),
    ...events.filter((_, index) => index % 2 === 1),
  ];
  const shuffled = events.toSorted((one, other) => hash(one) - hash(other));
  for (const order of [reversed, byServer, shuffled]) {
    const { loops } = loopsIn(order);
    expect(loops).toHaveLength(1);
    expect(loops[0]?.returns).toBe(expected[0]?.returns);
    const writers = loops[0]?.shares.map(({ writer, count }) => `${writer.name} ${count}`).toSorted();
    expect(writers).toEqual(
      expected[0]?.shares.map(({ writer, count }) => `${writer.name} ${count}`).toSorted(),
    );
  }
});

function hash(event: object): number {
  const { auditID } = event as { auditID: string };
  return (Number(auditID.slice(3)) * 2_654_435_761) % 1_000_003;
}

test('finds a webhook that undoes a request before it is stored', () => {
  const events = Array.from({ length: 8 }, (_, index) =>
    sampleEvent({
      version: 7,
      verb: 'patch',
      user: 'cleaner',
      order: index,
      request: { metadata: { labels: { team: null } } },
      labels: { app: 'web', team: 'a' },
      patches: [{ webhook: 'labels.example.com', configuration: 'labels', path: '/metadata/labels/team' }],
    }),
  );
  const { loops } = loopsIn(events);
  expect(loops.map(({ path }) => path)).toEqual(['/metadata/labels/team']);
  const names = loops[0]?.shares.map(({ writer, value }) => `${writer.kind} ${writer.name}: ${value}`);
  expect(names).toEqual(['user cleaner: (absent)', 'webhook labels.example.com: "a"']);
});

test('finds a webhook that restores all labels by one operation, as after the last was removed', () => {
  const events = Array.from({ length: 8 }, (_, index) =>
    sampleEvent({
      version: 7,
      verb: 'update',
      user: 'cleaner',
      order: index,
      request: { metadata: {} },
      labels: { team: 'a' },
      patches: [{ webhook: 'labels.example.com', configuration: 'labels', path: '/metadata/labels' }],
    }),
  );
  expect(loopsIn(events).loops.map(({ path }) => path)).toEqual(['/metadata/labels/team']);
});

test('does not report updates that change the object, and that a webhook completes each time', () => {
  const events = Array.from({ length: 50 }, (_, index) =>
    sampleEvent({
      version: index + 1,
      verb: 'update',
      user: 'deployer',
      request: { metadata: {}, spec: { image: `web:${index}` } },
      labels: { team: 'a' },
      image: `web:${index}`,
      patches: [{ webhook: 'labels.example.com', configuration: 'labels', path: '/metadata/labels/team' }],
    }),
  );
  expect(loopsIn(events).loops).toEqual([]);
});

test('does not report one writer that changes a field back and forth, or values that never return', () => {
  expect(loopsIn(fight(40, { user: 'scaler' })).loops).toEqual([]);
  const counting = Array.from({ length: 40 }, (_, index) =>
    sampleEvent({ version: index + 1, user: index % 2 === 0 ? 'a' : 'b', labels: { count: String(index) } }),
  );
  expect(loopsIn(counting).loops).toEqual([]);
});

test('distinguishes an object from a later one with the same name', () => {
  const events = Array.from({ length: 40 }, (_, index) =>
    sampleEvent({
      version: index + 1,
      uid: `uid-${index}`,
      user: index % 2 === 0 ? 'a' : 'b',
      labels: index % 2 === 0 ? { team: 'a' } : {},
    }),
  );
  expect(loopsIn(events).loops).toEqual([]);
});

test('ignores rejected requests, reads, other stages and other bodies', () => {
  const others = [
    ...fight(20, { verb: 'get' }),
    ...fight(20, { code: 409 }),
    ...fight(20, { stage: 'RequestReceived' }),
    ...fight(20, { subresource: 'scale' }),
  ];
  expect(loopsIn(others)).toMatchObject({ loops: [], counts: { lines: 80, writes: 0, foreign: 0 } });
});

test('ignores what is never stored: dry runs and reviews', () => {
  const dryRuns = fight(20, { query: '?fieldManager=argocd&dryRun=All' });
  const reviews = fight(20, { uid: '' });
  expect(loopsIn([...dryRuns, ...reviews])).toMatchObject({ loops: [], counts: { writes: 0, foreign: 0 } });
});

test('reads events with any order of keys and any spacing', () => {
  const sorted = (_: string, value: unknown) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).toSorted()) : value;
  // A field of the object that looks like the event's own.
  const events = fight(11, { extra: { verb: 'get', stage: 'Panic', responseObject: {} } });
  for (const space of [0, 1]) {
    const log = new AuditLog();
    for (const event of events)
      log.add(Buffer.from(`${JSON.stringify(event, sorted, space).replaceAll('\n', ' ')}\r\n`));
    expect(log.counts).toMatchObject({ lines: 11, writes: 11, foreign: 0 });
  }
  expect(loopsIn(events).counts).toMatchObject({ writes: 11 });
});

test('counts lines that are nested too deeply as foreign', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const log = new AuditLog();
  const [event] = fight(1);
  log.add(
    Buffer.from(
      `${deep}\n${JSON.stringify(event).replace('"responseObject":{', `"responseObject":{"x":${deep},`)}\n`,
    ),
  );
  expect(log.counts).toMatchObject({ lines: 2, writes: 0, foreign: 2 });
});

test('counts half-written and foreign lines, and writes without bodies', () => {
  const log = new AuditLog();
  const [event] = fight(1) as [{ responseObject?: object }];
  const text = JSON.stringify(event);
  const { responseObject: _, ...bare } = event;
  log.add(
    Buffer.from(
      `${text}\n${text.slice(0, 300)}\n[1,2]\nnot json\n\n${JSON.stringify(bare)}\n${text.slice(0, 50)}`,
    ),
  );
  log.end();
  expect(log.counts).toMatchObject({ lines: 6, writes: 1, foreign: 4, withoutBodies: 1 });
});

test('reads lines that arrive in pieces of any size', () => {
  const bytes = Buffer.from(
    fight(11, { name: 'wéb' })
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  );
  for (const size of [1, 7, 1000, bytes.length]) {
    const log = new AuditLog();
    for (let at = 0; at < bytes.length; at += size) log.add(bytes.subarray(at, at + size));
    log.end();
    expect(log.counts.writes).toBe(11);
    expect(log.finder.loops()[0]).toMatchObject({ name: 'wéb', returns: 9 });
  }
});

test('forgets objects that are no longer written, and keeps contested ones', () => {
  const noise = (index: number) =>
    sampleEvent({ version: 1, name: `pod-${index}`, uid: `pod-${index}`, labels: {} });
  const events = fight(60).flatMap((event, index) => [event, noise(3 * index), noise(3 * index + 1)]);
  expect(loopsIn(events, { maxObjects: 5 }).loops).toHaveLength(1);
});

test('counts long fights completely, in bounded memory', () => {
  const { loops } = loopsIn(fight(5000));
  expect(loops[0]?.returns).toBe(4998);
  expect(loops[0]?.times.length).toBeLessThanOrEqual(512);
});

test('survives an endless line', () => {
  const log = new AuditLog();
  const chunk = Buffer.alloc(8 * 1024 * 1024, 'x');
  for (let index = 0; index < 6; index++) log.add(chunk);
  log.add(Buffer.from('\n'));
  log.add(BYTES);
  expect(log.counts).toMatchObject({ lines: 1, foreign: 1 });
});
