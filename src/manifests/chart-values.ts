import { Document, Scalar } from 'yaml';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { configMapData, configMapItems } from './config-map.ts';
import { readRules } from './read-rules.ts';
import type { ConfigFiles } from './settings.ts';
import { webhookScopes } from './webhook-scopes.ts';

/** The part of the chart's values that follows from the configuration: Helm's templates cannot work it out. */
export function chartValues(pipeline: Pipeline, files: ConfigFiles): string {
  const { 'podgraft.yaml': config = '', ...modules } = configMapData(files);
  const { everywhere, inNamespaces } = readRules(pipeline);
  const document = new Document(
    {
      config,
      modules: configMapItems(files).flatMap(({ key, path }) => {
        const text = modules[key];
        return text === undefined ? [] : { key, path, text };
      }),
      derived: {
        excludedNamespaces: [...pipeline.excludedNamespaces],
        reads: everywhere,
        namespacedReads: inNamespaces,
        webhooks: webhookScopes(pipeline),
      },
    },
    { aliasDuplicateObjects: false },
  );
  document.commentBefore =
    ' Made by `podgraft manifests --chart-values`: run it again when the configuration changes, and do not edit.';
  const text = document.get('config', true);
  if (text instanceof Scalar) text.type = Scalar.BLOCK_LITERAL;
  return document.toString({ lineWidth: 0 });
}
