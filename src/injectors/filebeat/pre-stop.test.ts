import { expect, test } from 'vitest';
import { sleepSeconds } from './pre-stop.ts';

test.each([
  [['sleep', '15'], 15],
  [['sh', '-c', 'sleep 15'], 15],
  [['/bin/sleep', '2m'], 120],
  [['sleep', '1.5m'], 90],
  [['sh', '-c', 'sleep 5; flush && sleep 10s'], 15],
  [['sh', '-c', '(sleep 5)'], 5],
  [['sh', '-c', 'nosleep 5'], 0],
  [['sh', '-c', 'sleep $DELAY'], 0],
  [['true'], 0],
])('%j sleeps for %i seconds', (command, seconds) => {
  expect(sleepSeconds({ exec: { command } })).toBe(seconds);
});

test('the sleep action has its own duration, other actions have none', () => {
  expect(sleepSeconds({ sleep: { seconds: 20 } })).toBe(20);
  expect(sleepSeconds({ httpGet: { port: 80 } })).toBe(0);
});
