import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/json.ts';
import { INVALID, VALID } from '../pod-samples.ts';
import { createNamespace } from './namespace.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

/** Podgraft's rules for valid Pods against the API server's own. */
describe('Pod validation of the API server', () => {
  const plane = sharedControlPlane();
  const namespace = 'validation';
  beforeAll(() => createNamespace(plane, namespace));

  const create = async (pod: JsonObject) => {
    const metadata = { ...(pod.metadata as JsonObject), name: 'p' };
    const { status, body } = await plane.request<{ details?: { causes?: { field: string }[] } }>(
      'POST',
      `/api/v1/namespaces/${namespace}/pods?dryRun=All`,
      { apiVersion: 'v1', kind: 'Pod', ...pod, metadata },
    );
    return { status, body };
  };

  it.each(INVALID.map(({ title, pod }) => [title, pod] as const))('rejects %s', async (_, pod) => {
    const { status, body } = await create(pod);
    expect({ status, body }).toMatchObject({ status: 422 });
  });

  it.each(VALID.map(({ title, pod }) => [title, pod] as const))('accepts %s', async (_, pod) => {
    const { status, body } = await create(pod);
    expect({ status, body }).toMatchObject({ status: 201 });
  });
});
