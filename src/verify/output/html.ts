import { stringify } from 'yaml';
import { escapeHtml, htmlText } from '../../html-text.ts';
import type { CheckResult, VerifyReport } from '../run-verify.ts';

const STYLE = `:root{color-scheme:light dark;--line:#8884;--good:#1a7f37;--bad:#cf222e}
@media (prefers-color-scheme:dark){:root{--good:#3fb950;--bad:#f85149}}
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{margin-bottom:.2rem}.failed{color:var(--bad)}.passed{color:var(--good)}.skipped,small{opacity:.75}
article{border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:6px;padding:.4rem 1rem;margin:1rem 0}
pre{overflow:auto;background:#8881;padding:.6rem;border-radius:6px;font-size:.85rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}`;

/** A self-contained page. */
export function renderHtml({ results, webhooks, notes }: VerifyReport): string {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const tried = results.filter(({ outcome }) => outcome !== 'skipped');
  const summary =
    failed.length === 0
      ? `all ${tried.length} checks passed`
      : `${failed.length} of ${tried.length} checks failed`;
  const subjects = [...new Set(results.map(({ subject }) => subject))];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>podgraft verify: ${summary}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Admission webhooks</h1>
<p class="${failed.length === 0 ? 'passed' : 'failed'}">${summary}</p>
<ul>${webhooks.map(({ id, type, address }) => `<li>${escapeHtml(id)} <small>${type}, ${escapeHtml(address)}</small></li>`).join('')}</ul>
${failed.map(card).join('\n')}
${subjects.map((subject) => table(subject, results)).join('\n')}
${notes.map((note) => `<p><small>${escapeHtml(note)}</small></p>`).join('\n')}
</body>
</html>
`;
}

function card({ check, subject, objects, finding }: CheckResult): string {
  if (finding === undefined) return '';
  const { message, culprits = [subject], affected, sample, smallest, body } = finding;
  const object =
    smallest === undefined
      ? ''
      : `<p><small>The smallest object that shows it:</small></p><pre>${escapeHtml(stringify(smallest))}</pre>`;
  const evidence =
    body === undefined
      ? `<p><small>With ${escapeHtml(sample)}; ${affected} of ${objects} objects show it.</small></p>${object}`
      : `<p><small>The body that was sent:</small></p><pre>${escapeHtml(body || '(empty)')}</pre>`;
  return `<article>
<h2><span class="failed">${check.id}</span> ${escapeHtml(culprits.join(' and '))}</h2>
<p>${escapeHtml(message)}</p>
${evidence}
<p>${htmlText(check.why)}</p><p><b>Fix:</b> ${htmlText(check.fix)}</p>
</article>`;
}

function table(subject: string, results: readonly CheckResult[]): string {
  const rows = results
    .filter((result) => result.subject === subject)
    .map(
      ({ check, outcome, objects }) =>
        `<tr><td class="${outcome}">${outcome}</td><td>${check.id}</td><td>${htmlText(check.title)}</td><td>${objects}</td></tr>`,
    );
  return `<h2>${escapeHtml(subject)}</h2><table><tr><th>Outcome</th><th>Check</th><th>What it means</th><th>Objects</th></tr>${rows.join('')}</table>`;
}
