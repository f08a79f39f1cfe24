import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import type { Plugin } from './plugin.ts';
import { defaultTolerationSeconds, priority } from './scheduling.ts';
import { serviceAccount } from './service-account.ts';

/** The default plugins of the API server whose changes others see, in its order. */
export const PLUGINS: readonly Plugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  priority,
  defaultTolerationSeconds,
];
