import { lineDiff } from '../src/line-diff.ts';

interface Props {
  readonly before: string;
  readonly after: string;
}

/** Unchanged lines around a change that stay visible. */
const CONTEXT = 3;

export function Difference({ before, after }: Props) {
  const lines = lineDiff(before, after);
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  return (
    <pre class="source difference">
      {lines.map(({ sign, line }, index) => {
        if (isNear[index]) {
          const name = sign === '+' ? 'is-added' : sign === '-' ? 'is-removed' : '';
          return (
            <span key={index} class={name}>
              {`${sign} ${line}\n`}
            </span>
          );
        }
        return index === 0 || isNear[index - 1] ? (
          <span key={index} class="muted">
            {'  ⋯\n'}
          </span>
        ) : null;
      })}
    </pre>
  );
}
