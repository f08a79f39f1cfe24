import type { PageState } from '../page/view.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

type Sample = PageState['samples'][number];

/** Objects to try the configured injectors on. */
export function samplesFor({ stages }: Pipeline): readonly Sample[] {
  const uses = new Set(stages.map(({ injector }) => injector.name));
  const fitting = SAMPLES.filter(({ injector }) => uses.has(injector));
  return fitting.length > 0 ? fitting : SAMPLES.slice(0, 1);
}

const SAMPLES: readonly Sample[] = [
  {
    title: 'A Pod',
    injector: 'metadata',
    yaml: `apiVersion: v1
kind: Pod
metadata:
  name: myapp
spec:
  containers:
    - name: web
      image: nginx:1.27
      resources:
        requests: {cpu: 250m} # kept
`,
  },
];
