import { Gauge, type Registry } from 'prom-client';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { problemsOf } from '../pipeline/problems.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Log } from './log.ts';

const LOOK_MS = 5_000;

export interface ProblemWatch {
  readonly problems: () => readonly string[];
  stop(): void;
}

/** What injectors look at: what a view that is not complete lacks is no problem yet. */
export interface Watched {
  readonly pipeline: Pipeline;
  readonly cluster: ClusterView;
  readonly notReady: () => readonly string[];
}

/** Shows what is wrong with what injectors read: as a metric, and once in the log when it changes. */
export function watchProblems(watched: Watched, registry: Registry, log: Log): ProblemWatch {
  const { pipeline, cluster, notReady } = watched;
  const found = () => (notReady().length > 0 ? [] : problemsOf(pipeline, cluster));
  new Gauge({
    name: 'podgraft_injector_problems',
    aggregator: 'max',
    help: 'What is wrong with what an injector reads; it goes on with the last that was good',
    labelNames: ['injector'] as const,
    registers: [registry],
    collect() {
      for (const { name } of pipeline.stages) this.set({ injector: name }, 0);
      for (const { injector } of found()) this.inc({ injector });
    },
  });
  const problems = () => found().map(({ injector, problem }) => `${injector}: ${problem}`);
  let known = '';
  const timer = setInterval(() => {
    const now = problems().join('\n');
    if (now === known) return;
    known = now;
    if (now === '') log.info({}, 'injectors have no problems any more');
    else log.warn({ problems: problems() }, 'injectors have problems');
  }, LOOK_MS).unref();
  return { problems, stop: () => clearInterval(timer) };
}
