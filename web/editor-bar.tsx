import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageState } from '../src/page/view.ts';

interface Props {
  readonly samples: PageState['samples'];
  /** The title of the sample that the editor has. */
  readonly chosen: string | undefined;
  readonly operation: string | undefined;
  readonly edit: (yaml: string) => void;
  readonly setOperation: (operation: string | undefined) => void;
}

/** Samples, files, and the operation. */
export function EditorBar({ samples, chosen, operation, edit, setOperation }: Props) {
  const file = useRef<HTMLInputElement>(null);
  const isDragged = useDroppedFile(edit);
  const groups = Map.groupBy(samples, ({ injector }) => injector);
  return (
    <div class="bar">
      <h2>Object</h2>
      <select
        aria-label="Sample"
        value={chosen ?? ''}
        onChange={({ currentTarget }) => {
          const sample = samples.find(({ title }) => title === currentTarget.value);
          if (sample !== undefined) edit(sample.yaml);
        }}
      >
        <option value="" disabled>
          Samples…
        </option>
        {[...groups].map(([injector, own]) => (
          <optgroup key={injector} label={injector}>
            {own.map(({ title }) => (
              <option key={title} value={title}>
                {title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <select
        aria-label="Operation"
        value={operation ?? 'CREATE'}
        onChange={({ currentTarget: { value } }) => setOperation(value === 'CREATE' ? undefined : value)}
      >
        <option>CREATE</option>
        <option>UPDATE</option>
        <option>DELETE</option>
      </select>
      <button type="button" class="quiet" onClick={() => file.current?.click()}>
        Open file…
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".yaml,.yml,.json"
        onChange={({ currentTarget: { files } }) => files?.[0]?.text().then(edit)}
      />
      {isDragged && <p class="drop">Drop the file to open it</p>}
    </div>
  );
}

/** Opens a file that is dropped anywhere on the page. Returns whether one is held over it. */
function useDroppedFile(open: (text: string) => void): boolean {
  const [isDragged, setDragged] = useState(false);
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragged(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragged(false);
    const drop = (event: DragEvent) => {
      setDragged(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      file.text().then(latest.current);
    };
    // While it captures: the editor would insert the text at the cursor.
    addEventListener('dragover', over, true);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop, true);
    return () => {
      removeEventListener('dragover', over, true);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop, true);
    };
  }, []);
  return isDragged;
}
