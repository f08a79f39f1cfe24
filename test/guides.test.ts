import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, followGuide, guidesFolder } from './guide.ts';

const guides = readdirSync(guidesFolder).filter((name) => name.endsWith('.md'));

describe.each(guides)('docs/guides/%s', (guide) => {
  it('has commands that are tested, or a comment that explains why not', () => {
    const commands = blocksOf(guide).filter(({ language }) => language === 'sh');
    const unexplained = commands.filter(({ words, excused }) => {
      const isRun = words.includes('test=local') || words.includes('test=cluster');
      return isRun === excused;
    });
    expect(unexplained.map(({ line }) => `line ${line}`)).toEqual([]);
  });

  it('has no broken links', () => {
    const page = readFileSync(join(guidesFolder, guide), 'utf8');
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(guidesFolder, path)))).toEqual([]);
  });

  it('works as written, up to the commands that need a cluster', async () => {
    await followGuide(guide, { run: ['test=local'] });
  });
});
