import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import type { KubeClient } from '../cluster/client/client.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { asJson, createdAt, type KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';

export interface LiveConfig {
  readonly config: Config;
  /** When the webhook was registered, and when this configuration was created: each has its own ConfigMap. */
  readonly installedAt?: string;
  readonly configuredAt?: string;
}

/**
 * The configuration in force: that of the Deployment behind the webhook. Its ConfigMap is written to a temporary folder, because it
 * may contain modules.
 */
export async function loadLiveConfig(client: KubeClient, webhook: string): Promise<LiveConfig> {
  const { configuration, configMap } = await findConfigMap(client, webhook);
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-live-'));
  try {
    for (const [key, text] of Object.entries(stringsOf(asJson(configMap).data))) {
      // As `podgraft manifests` encodes paths; a path cannot leave the folder.
      const file = join(folder, normalize(`/${key.replaceAll('__', '/')}`));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const config = await loadConfig(join(folder, 'podgraft.yaml'));
    const [installedAt, configuredAt] = [createdAt(configuration), createdAt(configMap)];
    return { config, ...(installedAt && { installedAt }), ...(configuredAt && { configuredAt }) };
  } catch (error) {
    if (!(error instanceof PodgraftError)) throw error;
    const { namespace, name } = configMap.metadata;
    const message = error.message.replaceAll(`${folder}/`, `ConfigMap ${namespace}/${name}, `);
    throw new PodgraftError(error.code, message, { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function findConfigMap(
  client: KubeClient,
  webhook: string,
): Promise<Readonly<Record<'configuration' | 'configMap', KubeObject>>> {
  const ref = builtin('MutatingWebhookConfiguration');
  const configuration = await client.get({ ref, name: webhook });
  if (configuration === undefined)
    throw notFound(`MutatingWebhookConfiguration "${webhook}" not found; --webhook names another`);
  const { namespace, name } = serviceOf(asJson(configuration).webhooks, webhook);
  const deployment = await client.get({ ref: builtin('Deployment'), namespace, name });
  if (deployment === undefined) throw notFound(`Deployment "${namespace}/${name}" not found`);
  const volume = configVolume(asJson(deployment));
  if (volume === undefined)
    throw notFound(`Deployment "${namespace}/${name}" has no volume "config" with a ConfigMap`);
  const configMap = await client.get({ ref: builtin('ConfigMap'), namespace, name: volume });
  if (configMap === undefined) throw notFound(`ConfigMap "${namespace}/${volume}" not found`);
  return { configuration, configMap };
}

function serviceOf(webhooks: Json | undefined, name: string): { namespace: string; name: string } {
  const [first] = isJsonArray(webhooks) ? webhooks : [];
  const service = at(first, 'clientConfig', 'service');
  if (isJsonObject(service) && typeof service.namespace === 'string' && typeof service.name === 'string')
    return { namespace: service.namespace, name: service.name };
  throw notFound(`MutatingWebhookConfiguration "${name}" calls no Service of the cluster`);
}

function configVolume(deployment: Json): string | undefined {
  const volumes = at(deployment, 'spec', 'template', 'spec', 'volumes');
  const found = (isJsonArray(volumes) ? volumes : []).find((volume) => at(volume, 'name') === 'config');
  const name = at(found, 'configMap', 'name');
  return typeof name === 'string' ? name : undefined;
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((node, key) => (isJsonObject(node) ? node[key] : undefined), value);
}

function stringsOf(value: Json | undefined): Record<string, string> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function notFound(why: string): PodgraftError {
  return new PodgraftError('CONFIG_UNREADABLE', `Cannot find the configuration in force: ${why}`);
}
