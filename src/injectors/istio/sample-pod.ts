import { PodgraftError } from '../../podgraft-error.ts';
import type { Configuration } from './configuration.ts';
import { injectPod } from './inject-pod.ts';
import { DEFAULT_IDS } from './openshift.ts';
import { record } from './proxy-config.ts';
import { proxyImage, proxyInitImage } from './proxy-image.ts';
import type { Settings } from './settings.ts';
import { WORTH_IT } from './specialized-templates.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', labels: {}, annotations: {} },
  spec: { containers: [{ name: 'app', image: 'app:1', ports: [{ containerPort: 80 }] }] },
};

/**
 * Injects an ordinary Pod, so that templates that ask for what there is not fail at load, not for the first user. And then more, until
 * what Pods have in common is worked out, which no user should have to wait for.
 */
export function renderSample(configuration: Configuration, settings: Settings): void {
  for (let pod = 1; pod <= WORTH_IT; pod++) renderNamed(`sample-${pod}`, configuration, settings);
}

function renderNamed(name: string, configuration: Configuration, settings: Settings): void {
  const { values, mesh } = configuration;
  const injected = injectPod({
    pod: { ...POD, metadata: { ...POD.metadata, name } },
    configuration,
    settings,
    pathEnv: settings.pathEnv,
    data: {
      owner: { apiVersion: 'v1', kind: 'Pod', name },
      namespace: 'default',
      proxyConfig: record(mesh.defaultConfig),
      meshConfig: mesh,
      values,
      revision: settings.revision,
      nativeSidecars: settings.nativeSidecars !== false,
      proxyImage: proxyImage(values, record(mesh.defaultConfig), undefined),
      proxyInitImage: proxyInitImage(values, undefined),
      proxyUid: DEFAULT_IDS.uid,
      proxyGid: DEFAULT_IDS.gid,
      compliancePolicy: settings.compliancePolicy,
    },
  });
  if ('refused' in injected)
    throw new PodgraftError('CONFIG_INVALID', `An ordinary Pod cannot be injected: ${injected.refused}`);
}
