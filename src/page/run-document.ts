import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from '../html-text.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { RunView } from './view.ts';

/** Where the build puts the page, seen from the source and from the build. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../dist/page/' : './', import.meta.url);

/** The view of runs as one self-contained page, which needs no server and no network. */
export function runDocument(runs: readonly RunView[], version: string, title: string): string {
  // Neither a tag nor a comment can begin inside the data.
  const data = JSON.stringify({ runs, version }).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${built('page.css')}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="data">${data}</script>
<script>${built('file.js').replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}

function built(name: string): string {
  const file = fileURLToPath(new URL(name, FOLDER));
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new PodgraftError('USAGE', `Cannot read ${file}: build the page with "npm run build"`, { cause });
  }
}
