import type { Rule } from '../rule.ts';

const SEVERITY = { error: 'error', warning: 'warning', info: 'note' } as const;

/** The documentation of a rule, in Markdown. */
export function rulePage({ id, category, severity, title, why, practice, fix, bad, good }: Rule): string {
  return `# ${id}

${title}. Category: ${category}. Severity: at most ${SEVERITY[severity]}.

## Why it matters

${why}

[Kubernetes' recommendation](${practice})

## How to fix it

${fix}

If it is intentional, annotate the object: \`podgraft.dev/lint-ignore: ${id}=the reason\`.

## Bad

\`\`\`yaml
${(bad[0] ?? '').trimEnd()}
\`\`\`

## Good

\`\`\`yaml
${(good[0] ?? '').trimEnd()}
\`\`\`
`;
}
