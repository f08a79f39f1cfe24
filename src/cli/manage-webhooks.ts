import { parse } from 'yaml';
import type { JsonObject } from '../json/json.ts';
import { chartValues } from '../manifests/chart-values.ts';
import { renderChart } from '../manifests/render-chart.ts';
import { followWebhooks } from '../registration/follow-webhooks.ts';
import type { Log } from '../server/log.ts';
import type { Connection } from './open-views.ts';
import type { Loaded } from './reload-config.ts';

export interface ManageOptions {
  /** The hash of the configuration, as the chart computes it. */
  readonly manageWebhooks: string;
  readonly webhook: string;
  readonly service: string;
}

/** Writes the rules of podgraft's own webhook configurations, instead of the manifests. Returns a function that stops it. */
export function manageWebhooks(
  { manageWebhooks: configHash, webhook, service }: ManageOptions,
  connection: Connection,
  { config, views }: Loaded,
  log: Log,
): () => void {
  const ending = new AbortController();
  const namespace = process.env.POD_NAMESPACE ?? connection.namespace;
  // The same template as for `podgraft manifests`, with the same values.
  const { derived } = chartValues(config.pipeline, { config: '', modules: [] });
  const rendered = (settings: JsonObject) =>
    renderChart(
      ['webhook-configurations.yaml'],
      { name: service, namespace },
      {
        derived: derived ?? {},
        webhook: { ...settings, managed: false },
        tls: settings.caBundle ? { mode: 'secret', caBundle: settings.caBundle } : { mode: 'self-managed' },
      },
    ).map((text) => parse(text) as { kind: string; webhooks: JsonObject[] });
  const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const;
  void followWebhooks(
    {
      client: connection.client,
      configurations: kinds.map((kind) => ({ kind, name: webhook })),
      configHash,
      render: (kind, settings) => rendered(settings).find((each) => each.kind === kind)?.webhooks ?? [],
      isReady: () => views.notReady().length === 0,
      log,
    },
    ending.signal,
  );
  return () => ending.abort();
}
