import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

// There is no engine here that could build it: this is what can be said without one.
const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const instructions = readFileSync(at('Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '');
const last = instructions.findLastIndex((line) => line.startsWith('FROM'));

it('copies only what is there and is sent to the engine', () => {
  const sent = readFileSync(at('.dockerignore'), 'utf8').match(/(?<=^!).*/gm) ?? [];
  const copies = instructions.filter((line) => /^COPY (?!--from)/.test(line));
  const sources = copies.flatMap((line) => line.split(/\s+/).slice(1, -1));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((path) => !existsSync(at(path)))).toEqual([]);
  expect(sent.toSorted()).toEqual(sources.toSorted());
});

it('takes from the stage before what that has made', () => {
  const taken = instructions.slice(last).filter((line) => line.startsWith('COPY'));
  expect(taken.every((line) => line.startsWith('COPY --from=build /'))).toBe(true);
});

it('names the version of its base', () => {
  const versions = instructions.flatMap((line) => /^ARG NODE_VERSION=(.*)/.exec(line)?.[1] ?? []);
  expect(versions).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  const bases = instructions.filter((line) => line.startsWith('FROM')).map((line) => line.split(' ')[1]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the Dockerfile's own variable.
  expect(bases).toEqual(['node:${NODE_VERSION}-bookworm-slim', 'scratch']);
});

it('ends in an image that needs no shell and does not run as root', () => {
  const final = instructions.slice(last);
  expect(final.filter((line) => /^(RUN|SHELL|HEALTHCHECK)\b/.test(line))).toEqual([]);
  expect(final).toContain('USER 65532:65532');
  for (const line of final.filter((each) => /^(ENTRYPOINT|CMD)/.test(each)))
    expect(line).toMatch(/ \[".*"\]$/);
});
