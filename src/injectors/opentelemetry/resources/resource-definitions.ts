import type { GenericSchema } from 'valibot';
import type { JsonObject, KubeObject, ResourceRef } from '../../../sdk/index.ts';
import { COLLECTOR, collectorSpec } from './collector.ts';
import { INSTRUMENTATION, instrumentationSpec } from './instrumentation.ts';
import { ANY_MAP, openApiSchema } from './schema.ts';

/** CustomResourceDefinitions for clusters without the operator. */
export function resourceDefinitions(): readonly KubeObject[] {
  return [
    definition(INSTRUMENTATION, ['otelinst', 'otelinsts'], instrumentationSpec, [
      AGE,
      { name: 'Endpoint', type: 'string', jsonPath: '.spec.exporter.endpoint' },
      { name: 'Sampler', type: 'string', jsonPath: '.spec.sampler.type' },
      { name: 'Sampler Arg', type: 'string', jsonPath: '.spec.sampler.argument' },
    ]),
    definition(COLLECTOR, ['otelcol', 'otelcols'], collectorSpec, [
      { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
      AGE,
    ]),
  ];
}

const AGE = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

function definition(
  { group, version, kind, resource, namespaced }: ResourceRef,
  shortNames: readonly string[],
  spec: GenericSchema,
  additionalPrinterColumns: readonly JsonObject[],
): KubeObject {
  const text = { type: 'string' };
  const openAPIV3Schema = {
    type: 'object',
    description: `${kind}: read when a Pod is created.`,
    properties: {
      apiVersion: text,
      kind: text,
      metadata: { type: 'object' },
      spec: openApiSchema(spec),
      status: ANY_MAP,
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: resource, singular: kind.toLowerCase(), shortNames },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema },
          subresources: { status: {} },
          additionalPrinterColumns,
        },
      ],
    },
  };
}
