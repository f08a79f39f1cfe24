import type { KeptView } from '../src/page/view.ts';
import type { Owners } from './owners.ts';
import { shortValue } from './short-value.ts';

interface Props {
  readonly kept: readonly KeptView[];
  readonly owners: Owners;
}

/** Values of the object's author that injectors left alone. */
export function Kept({ kept, owners }: Props) {
  if (kept.length === 0) return null;
  return (
    <section class="notes">
      <h3>Kept: the object already had another value</h3>
      <ul>
        {kept.map(({ path, owner, wanted, wantedField, found }) => (
          <li key={`${path} ${owner}`} class={owners(owner)}>
            <code class="path">{path}</code>
            <span class="note">
              kept <code>{shortValue(found)}</code>, <span class="owner-name">{owner}</span> wanted{' '}
              {wantedField && <code>{wantedField}</code>}
              {wantedField && ' '}
              <code>{shortValue(wanted)}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
