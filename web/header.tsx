import { useState } from 'preact/hooks';
import type { PageState } from '../src/page/view.ts';
import type { Address } from './address.ts';
import type { Go } from './app.tsx';

interface Props {
  readonly state: PageState;
  readonly tab: Address['tab'];
  readonly requests: number;
  readonly isConnected: boolean;
  readonly go: Go;
}

export function Header({ state, tab, requests, isConnected, go }: Props) {
  const link = (name: Address['tab'], title: string, count?: number) => (
    <a
      href={`#/${name}`}
      aria-current={tab === name ? 'page' : undefined}
      onClick={(event) => {
        event.preventDefault();
        go({ tab: name }, 'push');
      }}
    >
      {title}
      {count ? <span class="count">{count}</span> : null}
    </a>
  );
  return (
    <header class="header">
      <Brand />
      {state.mode === 'playground' ? (
        <nav aria-label="Views">
          {link('playground', 'Playground')}
          {link('requests', 'Requests', requests)}
        </nav>
      ) : (
        <h1 class="title">Requests</h1>
      )}
      <div class="header-end">
        {state.kubeconfig !== undefined && <CopyCommand command={state.kubeconfig} />}
        {state.configuration !== undefined && (
          <span class="file" title={state.configuration.file}>
            {state.configuration.file.split('/').slice(-2).join('/')}
          </span>
        )}
        <span class={`status ${isConnected ? 'is-live' : 'is-lost'}`} role="status">
          {isConnected ? 'live' : 'connection lost'}
        </span>
        <span class="version">{state.version}</span>
      </div>
    </header>
  );
}

export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path class="stem" d="M16 29V13" />
        <path class="leaf" d="M16 21c0-5 3-8 9-8 0 5-3 8-9 8Z" />
        <path class="scion" d="M16 15C16 9 12.5 5 6 4c-.5 6.5 3.5 11 10 11Z" />
      </svg>
      Podgraft
    </span>
  );
}

function CopyCommand({ command }: { readonly command: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <span class="copy">
      <code>{command}</code>
      <button
        type="button"
        onClick={() => navigator.clipboard.writeText(command).then(() => setCopied(true))}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}
