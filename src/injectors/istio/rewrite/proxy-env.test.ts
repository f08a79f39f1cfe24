import { expect, test } from 'vitest';
import { withProxyEnv } from './proxy-env.ts';

// A path is limited by that of a URL only, and anyone can call.
test.each([true, false])('thousands of variables of a path take linear time (again: %s)', (isReinjection) => {
  const named = (prefix: string, length: number) =>
    Array.from({ length }, (_, index) => ({ name: `${prefix}${index}`, value: '' }));
  const pod = { spec: { containers: [{ name: 'istio-proxy', env: named('X', 60_000) }] } };
  const variables = Object.fromEntries(named('V', 3000).map(({ name }) => [name, '1']));
  const start = performance.now();
  const next = withProxyEnv(pod, variables, { isReinjection });
  // It took up to three seconds.
  expect(performance.now() - start).toBeLessThan(400);
  expect(JSON.stringify(next).match(/"value":"1"/g)).toHaveLength(3000);
});
