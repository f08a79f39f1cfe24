import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ANNOTATION_KEYS } from './annotations.ts';
import { istioTemplates } from './istio-templates.ts';

const INJECTORS = fileURLToPath(new URL('../../src/injectors/', import.meta.url));

/** Keys in the sources that are not read from a Pod's annotations. */
const OTHERS: ReadonlySet<string> = new Set([
  // Labels and selectors.
  'app.kubernetes.io/instance',
  'app.kubernetes.io/name',
  'app.kubernetes.io/version',
  'beta.kubernetes.io/os',
  'eks.amazonaws.com/pod-identity',
  'eks.amazonaws.com/skip-pod-identity-webhook',
  'istio.io/rev',
  'kubernetes.io/metadata.name',
  'kubernetes.io/os',
  'sidecar.opentelemetry.io/injected',
  'topology.istio.io/network',
  // Annotations of Instrumentations, ServiceAccounts, mutators and namespaces.
  'instrumentation.opentelemetry.io/default-auto-instrumentation-*-image',
  '*/role-arn',
  '*/sts-regional-endpoints',
  'podgraft.dev/mode',
  'podgraft.dev/operations',
  'openshift.io/sa.scc.supplemental-groups',
  'openshift.io/sa.scc.uid-range',
  // A key of the status.
  'podgraft.dev/before',
]);

describe('objects are generated with every annotation that', () => {
  test('sources name', () => {
    const keys = sources().flatMap(keysIn);
    expect(keys.length).toBeGreaterThan(50);
    expect(missing(keys)).toEqual([]);
  });

  test('filebeat reads', () => {
    const text = readFileSync(join(INJECTORS, 'filebeat/annotations.ts'), 'utf8');
    const keys = [...text.matchAll(/\bread\(\s*(?:'([^']+)'|`([^`]+)`)/g)].flatMap(
      ([, name, pattern = '']) =>
        name === undefined
          ? ['requests', 'limits'].map((list) => `filebeat.${pattern.replace(/\$\{list\}/, list)}`)
          : [`filebeat.${name}`],
    );
    expect(keys.length).toBeGreaterThan(13);
    expect(missing([...keys, 'filebeat.enabled'])).toEqual([]);
  });

  test("templates for Istio's injector read", () => {
    const keys = Object.values(istioTemplates).flatMap((text) =>
      [...text.matchAll(/\.ObjectMeta(?:\.Annotations)? "([^"]+\/[^"]+)"/g)].map(([, key = '']) => key),
    );
    expect(keys.length).toBeGreaterThan(20);
    expect(missing(keys)).toEqual([]);
  });
});

function missing(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => !ANNOTATION_KEYS.some((known) => matches(key, known)));
}

function sources(): readonly string[] {
  return readdirSync(INJECTORS, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|generated|sample|demonstration/.test(file),
    )
    .map((file) => readFileSync(join(INJECTORS, file), 'utf8'));
}

/** Texts of the form `domain/name`, with `*` for what is not known. */
function keysIn(text: string): readonly string[] {
  const constants = new Map<string, string>();
  const resolved = (literal: string) =>
    literal.replace(/\$\{([^}]*)\}/g, (_, name: string) => constants.get(name) ?? '*');
  for (const [, name = '', plain, template] of text.matchAll(/const (\w+) = (?:'([^'\n]*)'|`([^`\n]*)`);/g))
    constants.set(name, plain ?? resolved(String(template)));
  const literals = [...text.matchAll(/^(?! *(?:\*|\/[/*])).*$/gm)].flatMap(([line]) =>
    [...line.matchAll(/'([^']*)'|`([^`]*)`/g)].map(
      ([, plain, template]) => plain ?? resolved(String(template)),
    ),
  );
  return [...new Set(literals)].filter((literal) => KEY.test(literal) && !OTHERS.has(literal));
}

/** Not versions of APIs, and only names of several words if the domain is unknown. */
const KEY = /^([a-z0-9-]+(\.[a-z0-9-]+)+\/(?!v\d)[A-Za-z0-9_.*-]*|\*\/[a-z]+(-[a-z]+)+)$/;

/** A text that ends with a slash is the beginning of keys. */
function matches(key: string, known: string): boolean {
  const [first = '', ...parts] = key.endsWith('/') ? [key, ''] : key.split('*');
  return parts.length === 0 ? known === key : known.startsWith(first) && known.endsWith(parts.at(-1) ?? '');
}
