import type { ChangeView } from '../src/page/view.ts';
import type { Owners } from './owners.ts';
import { shortValue } from './short-value.ts';

interface Props {
  readonly changes: readonly ChangeView[];
  readonly owners: Owners;
}

/** Changes that leave no line in the result. */
export function Removed({ changes, owners }: Props) {
  const removed = changes.filter(({ lines }) => lines === undefined);
  if (removed.length === 0) return null;
  return (
    <section class="notes">
      <h3>Removed</h3>
      <ul>
        {removed.map(({ pointer, path, owner, before, reason }) => (
          <li key={pointer} class={owners(owner)}>
            <code class="path">{path}</code>
            <span class="note">
              {before !== undefined && (
                <>
                  <code>{shortValue(before)}</code>,{' '}
                </>
              )}
              by <span class="owner-name">{owner}</span>
              {reason !== '' && `: ${reason}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
