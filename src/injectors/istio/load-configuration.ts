import { parseTemplate } from '../../gotemplate/index.ts';
import { type Pod, PodgraftError } from '../../sdk/index.ts';
import { type Configuration, type ConfigurationTexts, readConfiguration } from './config/configuration.ts';
import { meshProxyConfig } from './config/proxy-config.ts';
import { injectPod } from './inject-pod.ts';
import { asObject } from './pod-json.ts';
import { namedTemplates } from './render/named-templates.ts';
import { DEFAULT_IDS } from './render/openshift.ts';
import { type PodTemplate, podTemplate } from './render/pod-template.ts';
import { templateData } from './render/template-data.ts';
import { templateFunctions } from './render/template-functions.ts';
import type { Settings } from './settings.ts';

/** A configuration that has been checked. */
export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly templates: ReadonlyMap<string, PodTemplate>;
  readonly defaultTemplates: readonly PodTemplate[];
}

/** Parses a configuration and its templates, and injects an ordinary Pod: a configuration that fails for it must not take effect. */
export function loadConfiguration(texts: ConfigurationTexts, settings: Settings): LoadedConfiguration {
  const configuration = readConfiguration(texts);
  const functions = templateFunctions(settings.env);
  const sample = templateData(SAMPLE, configuration, settings, {
    namespace: 'default',
    proxyConfig: meshProxyConfig(asObject(configuration.mesh.defaultConfig)),
    nativeSidecars: settings.nativeSidecars !== false,
    ids: DEFAULT_IDS,
  });
  const defaults = configuration.defaultTemplates.flatMap(
    (name) => configuration.aliases.get(name) ?? [name],
  );
  const templates = new Map(
    [...configuration.templates].map(([name, text]) => {
      const template = parseTemplate(name, text, { functions });
      return [name, defaults.includes(name) ? podTemplate(template, sample) : { template }];
    }),
  );
  const chosen = namedTemplates(configuration.defaultTemplates, 'defaultTemplates', configuration, templates);
  if ('refused' in chosen) throw uninjectable(chosen.refused);
  const loaded = { configuration, templates, defaultTemplates: chosen.templates };
  const injected = injectPod({ ...loaded, settings, pathEnv: settings.pathEnv, data: sample });
  if ('refused' in injected) throw uninjectable(injected.refused);
  return loaded;
}

function uninjectable(reason: string): PodgraftError {
  return new PodgraftError('CONFIG_INVALID', `Cannot inject an ordinary Pod: ${reason}`);
}

const SAMPLE: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'sample', namespace: 'default', labels: {}, annotations: {} },
  spec: { containers: [{ name: 'app', image: 'app:1', ports: [{ containerPort: 80 }] }] },
};
