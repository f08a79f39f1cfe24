import { type Func, type FunctionMap, func } from '../func.ts';

/** Sprig's functions on paths. Those with the prefix os are the same on Linux. */
export const PATHS: FunctionMap = {
  ...both('base', 'string', base),
  ...both('dir', 'string', (path) => clean(path.slice(0, path.lastIndexOf('/') + 1))),
  ...both('clean', 'string', clean),
  ...both('ext', 'string', (path) => /\.[^./]*$/.exec(path)?.[0] ?? ''),
  ...both('isAbs', 'bool', (path) => path.startsWith('/')),
};

function both(name: string, result: string, body: (path: string) => string | boolean): Record<string, Func> {
  const function_ = func(`func(string) ${result}`, body);
  return { [name]: function_, [`os${name[0]?.toUpperCase()}${name.slice(1)}`]: function_ };
}

function base(path: string): string {
  if (path === '') return '.';
  let end = path.length;
  while (path[end - 1] === '/') end--;
  const trimmed = path.slice(0, end);
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

function clean(path: string): string {
  const rooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push('..');
  }
  return (rooted ? '/' : '') + parts.join('/') || '.';
}
