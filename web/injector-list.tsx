import { useRef, useState } from 'preact/hooks';
import type { ConfigurationView, RunView } from '../src/page/view.ts';
import type { Go } from './app.tsx';
import { inOrder, moved } from './injector-order.ts';
import type { Owners } from './owners.ts';

interface Props {
  readonly configuration: ConfigurationView;
  readonly run: RunView | undefined;
  readonly owners: Owners;
  readonly off: readonly string[];
  readonly order: readonly string[] | undefined;
  readonly isSameInAnyOrder: boolean | undefined;
  readonly go: Go;
  readonly emphasize: (name: string | undefined) => void;
}

/** The configured injectors: what each did, a switch, and a handle to move it, by mouse or by arrow keys. */
export function InjectorList(props: Props) {
  const { configuration, run, owners, off, order, isSameInAnyOrder, go, emphasize } = props;
  const [dragged, setDragged] = useState<string>();
  const [said, say] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const names = inOrder(
    configuration.injectors.map(({ name }) => name),
    order,
  );
  const move = (name: string, to: number) => {
    const next = moved(names, name, to);
    if (next === names) return;
    const isAsInFile = configuration.injectors.every((injector, index) => injector.name === next[index]);
    go({ order: isAsInFile ? undefined : next });
    say(`${name} is now number ${next.indexOf(name) + 1} of ${names.length}`);
    // The handle moves with its row, and loses the focus.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`)?.focus(),
    );
  };
  const toggle = (name: string) => {
    const next = off.includes(name) ? off.filter((other) => other !== name) : [...off, name];
    go({ off: next.length === 0 ? undefined : next });
  };
  return (
    <section class="panel injectors" aria-label="Configuration">
      <div class="bar">
        <h2>Injectors</h2>
        {(off.length > 0 || order !== undefined) && (
          <button type="button" class="quiet" onClick={() => go({ off: undefined, order: undefined })}>
            Reset
          </button>
        )}
      </div>
      <ol ref={list}>
        {names.map((name, index) => {
          const { use = '', summary = '' } =
            configuration.injectors.find((injector) => injector.name === name) ?? {};
          const isOff = off.includes(name);
          return (
            <li
              key={name}
              class={`${owners(name)} ${isOff ? 'is-off' : ''} ${dragged === name ? 'is-dragged' : ''}`}
              draggable
              onDragStart={(event) => {
                event.dataTransfer?.setData('text/plain', name);
                setDragged(name);
              }}
              onDragOver={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                if (dragged !== name) move(dragged, index);
              }}
              onDrop={(event) => event.preventDefault()}
              onDragEnd={() => setDragged(undefined)}
              onMouseEnter={() => emphasize(name)}
              onMouseLeave={() => emphasize(undefined)}
              onFocusIn={() => emphasize(name)}
              onFocusOut={() => emphasize(undefined)}
            >
              <button
                type="button"
                class="handle"
                data-name={name}
                aria-label={`Move ${name}, now number ${index + 1}, with the arrow keys`}
                onPointerDown={(event) => {
                  // Touch does not drag like a mouse.
                  if (event.pointerType === 'touch') event.currentTarget.setPointerCapture(event.pointerId);
                }}
                onPointerMove={(event) => {
                  if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
                  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('li');
                  const to = Array.from(list.current?.children ?? []).indexOf(over as Element);
                  if (to >= 0) move(name, to);
                }}
                onKeyDown={(event) => {
                  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                  if (step === undefined) return;
                  event.preventDefault();
                  move(name, index + step);
                }}
              >
                ⠿
              </button>
              <div class="injector">
                <p class="owner-name" title={summary}>
                  {name}
                </p>
                <p class="use">{use}</p>
                <p class="did">{isOff ? 'switched off' : whatItDid(name, run)}</p>
              </div>
              <label class="switch">
                <input
                  type="checkbox"
                  role="switch"
                  checked={!isOff}
                  aria-checked={!isOff}
                  onChange={() => toggle(name)}
                />
                <span class="visually-hidden">{name}</span>
              </label>
            </li>
          );
        })}
      </ol>
      <div class="order-note" role="status">
        {order !== undefined && isSameInAnyOrder !== undefined && (
          <p class={isSameInAnyOrder ? 'is-same' : 'is-different'}>
            {isSameInAnyOrder
              ? '✓ Another order, the same result.'
              : '✕ In this order, the result is a different one.'}
          </p>
        )}
        {order === undefined && names.length > 1 && (
          <p class="hint">Drag to change the order, and see that the result stays the same.</p>
        )}
        <p class="visually-hidden">{said}</p>
      </div>
    </section>
  );
}

function whatItDid(name: string, run: RunView | undefined): string {
  const view = run?.injectors.find((injector) => injector.name === name);
  if (run === undefined || view === undefined) return '';
  const changes = run.changes.filter(({ owner }) => owner === name).length;
  const kept = run.kept.filter(({ owner }) => owner === name).length;
  const counts = [
    changes > 0 ? `${changes} ${changes === 1 ? 'change' : 'changes'}` : '',
    kept > 0 ? `${kept} kept` : '',
  ].filter((count) => count !== '');
  if (view.outcome === 'changed' && counts.length > 0) return counts.join(', ');
  return view.reason === '' ? [view.outcome, ...counts].join(', ') : `${view.outcome}: ${view.reason}`;
}
