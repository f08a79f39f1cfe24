import type { RequestItem } from '../src/page/view.ts';
import type { Address } from './address.ts';
import type { Go } from './app.tsx';

interface Props {
  readonly items: readonly RequestItem[];
  readonly shown: number;
  readonly address: Address;
  readonly go: Go;
}

export function RequestFilters({ items, shown, address, go }: Props) {
  return (
    <div class="bar filters">
      <Filter
        label="Namespace"
        value={address.namespace}
        values={items.map(({ namespace }) => namespace)}
        set={(namespace) => go({ namespace })}
      />
      <Filter
        label="Injector"
        value={address.injector}
        values={items.flatMap(({ injectors }) => injectors)}
        set={(injector) => go({ injector })}
      />
      <Filter
        label="Verdict"
        value={address.verdict}
        values={['changed', 'unchanged', 'denied', 'failed']}
        set={(verdict) => go({ verdict })}
      />
      <span class="muted" role="status">
        {shown} of {items.length}
      </span>
    </div>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly values: readonly string[];
  readonly set: (value: string | undefined) => void;
}

function Filter({ label, value, values, set }: FilterProps) {
  // A selected value without requests stays, so that the user sees why the list is empty.
  const names = new Set([...values, ...(value === undefined ? [] : [value])].filter((name) => name !== ''));
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => set(currentTarget.value || undefined)}
    >
      <option value="">{label}: all</option>
      {[...names].toSorted().map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
