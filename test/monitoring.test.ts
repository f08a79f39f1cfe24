import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startProcess } from './podgraft-process.ts';
import { STAMP } from './stamp.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'podgraft-monitoring-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Metric {
  readonly type: string;
  readonly labels: readonly string[];
  readonly section: string;
}

/** By name. The page is generated from the code. */
const documented = new Map<string, Metric>();
for (const section of read('docs/metrics.md').split('\n## ').slice(1)) {
  for (const [, name = '', type = '', labels = ''] of section.matchAll(
    /^\| `(\w+)` \| (\w+) \| (.*?) \|/gm,
  )) {
    const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label);
    documented.set(name, { type, labels: names, section: section.split('\n')[0] ?? '' });
  }
}

async function exposed(...args: string[]): Promise<ReadonlyMap<string, string>> {
  const config = join(folder, 'podgraft.yaml');
  writeFileSync(config, STAMP);
  const server = await startProcess(['--self-signed', '--config', config, ...args]);
  try {
    const metrics = `http://127.0.0.1:${server.metricsPort}`;
    await expect.poll(async () => (await fetch(`${metrics}/readyz`)).status, { timeout: 20_000 }).toBe(200);
    const text = await (await fetch(`${metrics}/metrics`)).text();
    return new Map(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
  } finally {
    await server.stop('SIGKILL');
  }
}

const typesIn = (...sections: readonly string[]) =>
  new Map(
    [...documented]
      .filter(([, { section }]) => sections.includes(section))
      .map(([name, { type }]) => [name, type]),
  );

test('the page lists exactly what a server exposes', { timeout: 60_000 }, async () => {
  expect(await exposed()).toEqual(typesIn('Always', 'Configuration'));
});

test('the page lists exactly what several workers expose', { timeout: 60_000 }, async () => {
  expect(await exposed('--workers', '2')).toEqual(typesIn('Always', 'Configuration', 'With `--workers`'));
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const { groups } = parse(read('deploy/monitoring/alerts.yaml')) as {
  groups: readonly { rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/monitoring/dashboard.json')) as Dashboard;

/** Labels that Prometheus adds when scraping, and those of histograms. */
const ALWAYS = ['namespace', 'pod', 'le'];

describe.each([
  ...rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
])('%s', (_, expr) => {
  const used = [...expr.matchAll(/\bpodgraft_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );
  const metrics = used.map((name) => documented.get(name));

  test('uses metrics that exist', () => {
    expect(used.filter((name) => !documented.has(name))).toEqual([]);
    if (!expr.includes('apiserver_')) expect(used).not.toEqual([]);
  });

  test('uses labels that they have', () => {
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(','));
    const selected = [...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label);
    const labels = [...grouped, ...selected].map((label) => label.trim());
    const known = [...ALWAYS, ...metrics.flatMap((metric) => metric?.labels ?? [])];
    if (expr.includes('apiserver_')) known.push('name');
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
  });

  test('takes rates of counters and histograms only', () => {
    const rated = [...expr.matchAll(/\b(?:rate|increase)\((\w+)/g)].map(([, name = '']) =>
      name.replace(/_bucket$/, ''),
    );
    const wrong = rated.filter((name) => documented.get(name)?.type === 'gauge');
    expect(wrong).toEqual([]);
  });
});

test('the messages of alerts use labels that their expressions keep', () => {
  for (const { alert, expr, annotations } of rules) {
    const kept =
      /\bby \(([^)]*)\)/
        .exec(expr)?.[1]
        ?.split(',')
        .map((label) => label.trim()) ?? [];
    for (const [, label = ''] of Object.values(annotations)
      .join(' ')
      .matchAll(/\$labels\.(\w+)/g)) {
      expect([alert, kept]).toEqual([alert, expect.arrayContaining([label])]);
    }
  }
});

test('every metric is on the dashboard', () => {
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ');
  expect([...documented.keys()].filter((name) => !shown.includes(name))).toEqual([]);
});
