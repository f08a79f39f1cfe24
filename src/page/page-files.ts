import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PageReply, textReply } from './page-reply.ts';

/** Where the build puts the page, seen from the source and from the build. */
const FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/page/' : './', import.meta.url),
);

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/** A file of the page. `path` begins with `/`. */
export function pageFile(path: string, folder = FOLDER): PageReply {
  const name = path === '/' ? '/index.html' : path;
  const type = TYPES[extname(name)];
  if (type === undefined || !/^(\/[\w][\w.-]*)+$/.test(name)) return textReply(404, `no such path: ${path}`);
  const bytes = tryRead(join(folder, name));
  if (bytes === undefined && name === '/index.html') {
    return textReply(
      404,
      'The page has not been built: run `npm run build`. The API below api/ works without it.',
    );
  }
  if (bytes === undefined) return textReply(404, `no such path: ${path}`);
  return { status: 200, contentType: type, body: bytes };
}

function tryRead(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
