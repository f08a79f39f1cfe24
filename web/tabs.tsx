import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface Props {
  readonly pages: { readonly [title: string]: ComponentChildren };
  readonly label: string;
}

/** One page at a time; arrow keys go to the next one. */
export function Tabs({ pages, label }: Props) {
  const titles = Object.keys(pages);
  const [shown = '', show] = useState(titles[0]);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (titles.indexOf(shown) + step + titles.length) % titles.length;
    show(titles[next]);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {titles.map((title, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={title === shown}
            aria-controls={`${id}-page`}
            tabIndex={title === shown ? 0 : -1}
            onClick={() => show(title)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        class="tab-page"
        role="tabpanel"
        id={`${id}-page`}
        aria-labelledby={`${id}-${titles.indexOf(shown)}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        tabIndex={0}
      >
        {pages[shown]}
      </div>
    </>
  );
}
