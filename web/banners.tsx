import type { RunView } from '../src/page/view.ts';

/** Denials and warnings, as kubectl prints them. */
export function Banners({ run: { denial, verdict, warnings } }: { readonly run: RunView }) {
  return (
    <>
      {denial !== undefined && (
        <section class={`banner is-${verdict}`} role="alert">
          <h2>
            {verdict === 'failed' ? 'Failed' : 'Denied'}
            {denial.by !== undefined && ` by ${denial.by}`}
          </h2>
          <p class="code">
            {denial.code} {denial.reason}
          </p>
          <pre>{denial.message}</pre>
        </section>
      )}
      {warnings.length > 0 && (
        <section class="banner is-warning" role="alert">
          <h2>{warnings.length === 1 ? 'Warning' : `${warnings.length} warnings`}</h2>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
