import type { PageState } from '../page/view.ts';
import type { AnyInjector } from '../sdk/injector.ts';

type Sample = PageState['samples'][number];

/** Objects to try the configured injectors on. The object comes first, followed by what the cluster would have. */
export function samplesFor(injectors: readonly AnyInjector[]): readonly Sample[] {
  const own = [...new Set(injectors)].flatMap(({ name, sample }) =>
    sample === undefined ? [] : { ...sample, injector: name },
  );
  return [...GENERAL, ...own];
}

/** These apply to any configuration. Each is listed with an injector that needs no other object. */
const GENERAL: readonly Sample[] = [
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
  {
    title: 'A Deployment in production',
    injector: 'overlay',
    yaml: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  namespace: prod-eu
spec:
  replicas: 1
  selector: {matchLabels: {app: shop}}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers:
        - name: shop
          image: registry.example.com/shop:2.4.1
          env:
            - {name: REGION, value: eu-central-1} # kept
`,
  },
];
