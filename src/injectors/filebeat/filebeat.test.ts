import { expect, test } from 'vitest';
import { filesView } from '../../cluster/files-view.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { runPipeline } from '../../pipeline/run.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { filebeat } from './filebeat.ts';

test('takes null for an empty list, as templates leave it behind', () => {
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    // The types know what the API server sends; this is from a file.
    metadata: JSON.parse(
      '{"name": "shop", "annotations": {"filebeat.enabled": "true"}, "labels": null, "ownerReferences": null}',
    ),
    spec: {
      volumes: null,
      initContainers: null,
      containers: [{ name: 'shop', image: 'shop:1.4', env: null, volumeMounts: null }],
    },
  };
  const config = filebeat.config?.({ initContainers: true });
  const pipeline = createPipeline([{ name: 'filebeat', injector: filebeat, config }]);
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'default', username: 'test' });
  expect(runPipeline(pipeline, request, pod, filesView([]))).toMatchObject({
    allowed: true,
    object: { spec: { containers: [{ name: 'shop' }, { name: 'filebeat' }] } },
  });
});
