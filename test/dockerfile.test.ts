import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

// Checks what can be checked without a container engine.
const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const instructions = readFileSync(at('Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '');
const last = instructions.findLastIndex((line) => line.startsWith('FROM'));

it('copies only files that exist and are in the build context', () => {
  const sent = readFileSync(at('.dockerignore'), 'utf8').match(/(?<=^!).*/gm) ?? [];
  const copies = instructions.filter((line) => /^COPY (?!--from)/.test(line));
  const sources = copies.flatMap((line) => line.split(/\s+/).slice(1, -1));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((path) => !existsSync(at(path)))).toEqual([]);
  expect(sent.toSorted()).toEqual(sources.toSorted());
});

it('copies the final image from the build stage', () => {
  const taken = instructions.slice(last).filter((line) => line.startsWith('COPY'));
  expect(taken.every((line) => line.startsWith('COPY --from=build /'))).toBe(true);
});

it('pins the version of its base', () => {
  const versions = instructions.flatMap((line) => /^ARG NODE_VERSION=(.*)/.exec(line)?.[1] ?? []);
  expect(versions).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  const bases = instructions.filter((line) => line.startsWith('FROM')).map((line) => line.split(' ')[1]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the Dockerfile's own variable.
  expect(bases).toEqual(['node:${NODE_VERSION}-bookworm-slim', 'scratch']);
});

it('builds an image that needs no shell and does not run as root', () => {
  const final = instructions.slice(last);
  expect(final.filter((line) => /^(RUN|SHELL|HEALTHCHECK)\b/.test(line))).toEqual([]);
  expect(final).toContain('USER 65532:65532');
  for (const line of final.filter((each) => /^(ENTRYPOINT|CMD)/.test(each)))
    expect(line).toMatch(/ \[".*"\]$/);
});

it('contains the packages that the server depends on, and no others', () => {
  const prune = instructions.find((line) => line.includes('npm prune')) ?? '';
  const omitted = new Set([...prune.matchAll(/--omit=(\w+)/g)].map(([, type]) => type));
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')) as { packages: Packages };
  // As npm decides: a package that is needed for two reasons stays unless both are omitted.
  const isOmitted = ({ dev, optional, devOptional }: Package) =>
    (dev && omitted.has('dev')) ||
    (optional && omitted.has('optional')) ||
    (devOptional && omitted.has('dev') && omitted.has('optional'));
  const kept = Object.entries(packages).filter(([path, each]) => path !== '' && !isOmitted(each));
  const needed = new Set<string>();
  const visit = ({ dependencies = {} }: Package) => {
    for (const name of Object.keys(dependencies)) {
      if (needed.has(name)) continue;
      needed.add(name);
      visit(packages[`node_modules/${name}`] ?? {});
    }
  };
  visit(packages[''] ?? {});
  expect(kept.map(([path]) => path.replace('node_modules/', '')).toSorted()).toEqual([...needed].toSorted());
});

type Package = {
  readonly dependencies?: { readonly [name: string]: string };
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
};
type Packages = { readonly [path: string]: Package };
