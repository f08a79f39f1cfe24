import { Gauge, type Registry } from 'prom-client';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { problemsOf } from '../../pipeline/problems.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import type { FileView } from '../../sdk/file-view.ts';
import type { Log } from '../log.ts';

const LOOK_MS = 5_000;

export interface ProblemWatch {
  readonly problems: () => readonly string[];
  stop(): void;
}

/** What injectors read. An incomplete view is not a problem yet. */
export interface Watched {
  readonly pipeline: Pipeline;
  readonly cluster: ClusterView;
  readonly files: FileView;
  readonly notReady: () => readonly string[];
}

/** Exposes problems with the objects that injectors read as a metric, and logs every change. */
export function watchProblems(watched: () => Watched, registry: Registry, log: Log): ProblemWatch {
  const found = () => {
    const { pipeline, cluster, files, notReady } = watched();
    return notReady().length > 0 ? [] : problemsOf(pipeline, cluster, files);
  };
  new Gauge({
    name: 'podgraft_injector_problems',
    aggregator: 'max',
    help: 'Problems with the objects that an injector reads; it keeps using the last good ones',
    labelNames: ['injector'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { name } of watched().pipeline.stages) this.set({ injector: name }, 0);
      for (const { injector } of found()) this.inc({ injector });
    },
  });
  const problems = () => found().map(({ injector, problem }) => `${injector}: ${problem}`);
  let known = '';
  const look = () => {
    const now = problems().join('\n');
    if (now === known) return;
    known = now;
    if (now === '') log.info({}, 'all problems of injectors are resolved');
    else log.warn({ problems: problems() }, 'injectors have problems');
  };
  look();
  const timer = setInterval(look, LOOK_MS).unref();
  return { problems, stop: () => clearInterval(timer) };
}
