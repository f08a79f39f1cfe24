import type { ChangeView } from '../src/page/view.ts';
import type { Owners } from './owners.ts';
import { shortValue } from './short-value.ts';

interface Props {
  readonly change: ChangeView;
  readonly top: number;
  readonly owners: Owners;
}

/** Who made a change, where and why. */
export function ChangeCard({ change, top, owners }: Props) {
  return (
    <div
      id="change-card"
      role="tooltip"
      class={`change-card ${owners(change.owner)}`}
      style={{ top: `${top}px` }}
    >
      <p class="change-owner">
        <b>{change.owner}</b> {change.type} this
      </p>
      {change.reason !== '' && <p>{change.reason}</p>}
      <p>
        <code>{change.path}</code>
      </p>
      {change.before !== undefined && (
        <p class="muted">
          before: <code>{shortValue(change.before, 200)}</code>
        </p>
      )}
    </div>
  );
}
