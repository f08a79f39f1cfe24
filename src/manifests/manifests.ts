import { access } from './access.ts';
import { configMap } from './config-map.ts';
import { crds } from './crds.ts';
import { deployment } from './deployment.ts';
import { disruptionBudget } from './disruption-budget.ts';
import type { Manifest } from './manifest.ts';
import { namespace } from './namespace.ts';
import { networkPolicy, service } from './network.ts';
import type { ManifestSettings } from './settings.ts';
import { tls } from './tls.ts';
import { webhookConfigurations } from './webhook-configurations.ts';

/** Everything that a cluster needs, in the order in which it can be applied. */
export function manifests(settings: ManifestSettings): readonly Manifest[] {
  const definitions = settings.crds ? crds(settings.pipeline) : [];
  if (settings.tls.mode === 'url') return [...definitions, ...webhookConfigurations(settings)];
  return [
    ...definitions,
    ...namespace(settings),
    ...access(settings),
    configMap(settings),
    ...tls(settings),
    service(settings),
    deployment(settings),
    disruptionBudget(settings),
    networkPolicy(settings),
    // Last: what is asked about from now on can be answered soon.
    ...webhookConfigurations(settings),
  ];
}
