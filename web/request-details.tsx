import { useEffect, useState } from 'preact/hooks';
import type { PageState, RunRequest, RunView } from '../src/page/view.ts';
import type { Address } from './address.ts';
import { getRequest, run as send } from './api.ts';
import type { Go } from './app.tsx';
import { RunDetails } from './run-details.tsx';

interface Props {
  readonly uid: string;
  readonly state: PageState;
  readonly address: Address;
  readonly go: Go;
}

/** One decision of the server, which can be repeated with the configuration as it is now. */
export function RequestDetails({ uid, state, address, go }: Props) {
  const [recorded, setRecorded] = useState<RunView>();
  const [replayed, setReplayed] = useState<RunView>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    getRequest(uid).then(setRecorded, (error: Error) => setFailure(error.message));
  }, [uid]);
  const fail = (error: Error) => setFailure(error.message);
  const run = replayed ?? recorded;
  return (
    <section class="details" aria-label="Request">
      <div class="bar">
        <button
          type="button"
          class="quiet back"
          onClick={() => go({ uid: undefined, stop: undefined }, 'push')}
        >
          ← All requests
        </button>
        {recorded !== undefined && (
          <span class="muted">
            by <b>{recorded.request.user}</b>
          </span>
        )}
        {state.mode === 'playground' && recorded !== undefined && (
          <span class="actions">
            <button type="button" onClick={() => replay(recorded).then(setReplayed, fail)}>
              Replay
            </button>
            <button
              type="button"
              onClick={() =>
                go(
                  {
                    tab: 'playground',
                    yaml: recorded.before,
                    sample: undefined,
                    operation: recorded.request.operation,
                    document: undefined,
                    stop: undefined,
                  },
                  'push',
                )
              }
            >
              Edit in the playground
            </button>
          </span>
        )}
      </div>
      {failure !== undefined && (
        <section class="banner is-failed" role="alert">
          <h2>This request cannot be shown</h2>
          <pre>{failure}</pre>
        </section>
      )}
      {replayed !== undefined && recorded !== undefined && (
        <Replayed recorded={recorded} replayed={replayed} />
      )}
      {run !== undefined && (
        <RunDetails
          run={run}
          configuration={state.configuration}
          stop={address.stop}
          open={(stop) => go({ stop })}
        />
      )}
    </section>
  );
}

function Replayed({ recorded, replayed }: { readonly recorded: RunView; readonly replayed: RunView }) {
  const isSame = recorded.after === replayed.after && recorded.verdict === replayed.verdict;
  return (
    <p class={`replayed ${isSame ? 'is-same' : 'is-different'}`} role="status">
      {isSame
        ? '✓ Replayed now, with the same result.'
        : `✕ Replayed now, with a different result: ${replayed.verdict}, then ${recorded.verdict}.`}
    </p>
  );
}

async function replay({ before, request }: RunView): Promise<RunView> {
  const operation = request.operation as NonNullable<RunRequest['operation']>;
  const answer = await send({ yaml: before, operation });
  const [run] = 'runs' in answer ? answer.runs : [];
  if (run !== undefined) return run;
  throw new Error('errors' in answer ? answer.errors.map(({ message }) => message).join('\n') : 'no answer');
}
