import type { Audit } from '../audit/audit-cluster.ts';

/** The findings as one self-contained page, without scripts. */
export function auditPage({ pods, findings, incomplete }: Audit, now: Date): string {
  const rows = findings.map(
    ({ namespace, workload, podCount, injector, reason, paths, pods: names }) =>
      `<tr>${[namespace, `${workload.kind}/${workload.name}`, String(podCount), injector, reason]
        .map((cell) => `<td>${escaped(cell)}</td>`)
        .join(
          '',
        )}<td><details><summary>${paths.length} path${paths.length === 1 ? '' : 's'}</summary><ul>${paths
        .map((path) => `<li><code>${escaped(path)}</code></li>`)
        .join(
          '',
        )}</ul><p>Pods: ${escaped(names.join(', '))}${podCount > names.length ? ', …' : ''}</p></details></td></tr>`,
  );
  const state = incomplete === undefined ? '' : `<p role="alert">Incomplete: ${escaped(incomplete)}</p>`;
  const header = ['Namespace', 'Workload', 'Pods', 'Injector', 'Reason', 'Missing'];
  const table = `<table><thead><tr>${header.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Missed injections</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
[role=alert] { border-left: .3rem solid #c33; padding-left: .8rem; }
</style>
<h1>Missed injections</h1>
<p>${pods} Pods audited at ${now.toISOString()}; ${findings.length === 0 ? 'nothing is missing' : `${findings.length} findings`}.</p>
${state}
${findings.length === 0 ? '' : table}
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
