import { acceptCompletion, autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { completeFields } from './complete-fields.ts';
import { editorTheme } from './editor-theme.ts';
import type { TextError } from './use-run.ts';

interface Props {
  readonly text: string;
  readonly errors: readonly TextError[];
  readonly edit: (text: string) => void;
}

/** A sample, a file, or another address: not to be reported as an edit. */
const isFromOutside = Annotation.define<boolean>();

export function Editor({ text, errors, edit }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  /** Texts that were typed and have not come back as a property. */
  const echoes = useRef<string[]>([]);
  const latest = useRef(edit);
  latest.current = edit;

  // Made once: the effects below follow the text and its errors.
  useEffect(() => {
    if (host.current === null) return;
    // In a shadow root CodeMirror adopts its style sheets, which a strict Content-Security-Policy allows.
    const root = host.current.attachShadow({ mode: 'open' });
    const extensions = [
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of('  '),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      yaml(),
      autocompletion({ override: [completeFields] }),
      editorTheme,
      keymap.of([
        { key: 'Tab', run: acceptCompletion },
        indentWithTab,
        ...defaultKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...searchKeymap,
      ]),
      EditorView.domEventHandlers({ beforeinput: replaceLines }),
      EditorView.contentAttributes.of({
        'aria-label': 'Object as YAML',
        'aria-description': 'Escape, then Tab, leaves the editor',
      }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || update.transactions.some((each) => each.annotation(isFromOutside))) return;
        const typed = update.state.doc.toString();
        echoes.current.push(typed);
        latest.current(typed);
      }),
    ];
    view.current = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: text, extensions }),
    });
    return () => view.current?.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    // The user may have typed more before a text comes back as a property.
    const echo = echoes.current.lastIndexOf(text);
    echoes.current.splice(0, echo + 1);
    if (editor === null || echo >= 0 || editor.state.doc.toString() === text) return;
    const changes = { from: 0, to: editor.state.doc.length, insert: text };
    editor.dispatch({ changes, annotations: isFromOutside.of(true) });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const diagnostics = errors.map((error) => diagnosticOf(error, editor.state.doc));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [errors]);

  return <div class="editor" ref={host} />;
}

/** Where text replaces several lines, Chrome adds a `<span style>` to keep their look, which the Content-Security-Policy forbids. */
function replaceLines(event: InputEvent, view: EditorView): boolean {
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  if (event.inputType !== 'insertText' || event.data === null) return false;
  if (selection.ranges.length > 1 || doc.lineAt(from).number === doc.lineAt(to).number) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

function diagnosticOf({ line: number, column, message }: TextError, doc: Text): Diagnostic {
  const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
  const from = Math.min(line.from + Math.max(column - 1, 0), line.to);
  return { from, to: Math.max(line.to, from), severity: 'error', message };
}
