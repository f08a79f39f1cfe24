import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import type { Plugin } from './plugin.ts';
import { defaultTolerationSeconds, priority } from './scheduling.ts';
import { serviceAccount } from './service-account.ts';

/** Those of the API server's default plugins that change what others see, in its order. */
export const PLUGINS: readonly Plugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  priority,
  defaultTolerationSeconds,
];
