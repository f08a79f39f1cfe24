import { escapeHtml, htmlText } from '../../html-text.ts';
import { positionOf, titleOf } from '../model/source.ts';
import { type Finding, URGENCY } from '../rule.ts';
import type { LintReport } from '../run-lint.ts';
import { HTML_STYLE } from './html-style.ts';
import { placeOf, summaryOf } from './summary.ts';

const LABELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** A self-contained page. */
export function renderHtml(report: LintReport): string {
  const { score, urgent, findings, ignored, unchecked } = report;
  const band = score >= 90 ? 'good' : score >= 60 ? 'fair' : 'poor';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>podgraft lint: ${score} of 100</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header>
<div class="score ${band}"><strong>${score}</strong><span>of 100</span></div>
<div><h1>Admission webhooks</h1><p>${escapeHtml(summaryOf(report))}</p></div>
</header>
<main>
${urgent.length === 0 ? '' : `<section class="urgent"><h2>Fix first</h2><ol>${urgent.map(urgentItem).join('')}</ol></section>`}
${URGENCY.map((category) =>
  section(
    category,
    findings.filter(({ rule }) => rule.category === category),
  ),
).join('')}
${findings.length === 0 ? `<p class="clean">${report.webhooks === 0 ? 'No webhooks found.' : 'Nothing to fix.'}</p>` : ''}
${unchecked.length === 0 ? '' : `<section><h2>Not checked</h2><ul>${unchecked.map(({ subject, why }) => `<li><b>${escapeHtml(subject)}</b>: ${escapeHtml(why)}</li>`).join('')}</ul></section>`}
${ignored.length === 0 ? '' : `<section><h2>Ignored by annotation</h2><ul>${ignored.map(({ finding, reason }) => `<li><code>${finding.rule.id}</code> ${escapeHtml(placeOf(finding))}: ${escapeHtml(reason)}</li>`).join('')}</ul></section>`}
</main>
</body>
</html>
`;
}

function urgentItem(finding: Finding): string {
  const { rule, message, severity } = finding;
  return `<li><b class="${severity}">${escapeHtml(message)}</b><br><small>${escapeHtml(placeOf(finding))}</small><br>${htmlText(rule.fix)}</li>`;
}

function section(category: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  return `<section><h2>${category} <small>${findings.length}</small></h2>${findings.map(card).join('')}</section>`;
}

function card({ rule, severity, message, source, path, drawing, patch }: Finding): string {
  const position = positionOf(source, path);
  const place = position ? `${position.file}:${position.line}` : titleOf(source);
  return `<details><summary><span class="tag ${severity}">${LABELS[severity]}</span><span class="message">${escapeHtml(message)}</span><code>${escapeHtml(rule.id)}</code></summary>
<p class="place">${escapeHtml(place)} <code>${escapeHtml(path)}</code></p>
${drawing ? `<pre>${escapeHtml(drawing.join('\n'))}</pre>` : ''}
<p>${htmlText(rule.why)}</p><p><b>Fix:</b> ${htmlText(rule.fix)}${patch ? ' <em>podgraft lint --fix can do it.</em>' : ''}</p>
<p><a href="${escapeHtml(rule.practice)}">Kubernetes' recommendation</a></p></details>`;
}
