import { intOf, json, structType } from '../../gotemplate/host-values.ts';
import type { Struct, Value } from '../../gotemplate/values.ts';
import type { JsonObject } from '../../json/json.ts';
import { goStruct, type Reads } from './go-type.ts';
import { meshConfigType, proxyConfigType } from './mesh-types.ts';
import type { Owner } from './owner.ts';
import { objectMeta, podSpec } from './pod-types.ts';
import { protoPointer } from './proto.ts';
import { record } from './proxy-config.ts';

/** All that templates can ask for, as raw data; what they do not ask for costs nothing. */
export interface TemplateData {
  readonly pod: JsonObject;
  /** Told of what templates read of the Pod. */
  readonly reads?: Reads;
  readonly owner: Owner;
  readonly namespace: string;
  readonly proxyConfig: JsonObject;
  readonly meshConfig: JsonObject;
  readonly values: JsonObject;
  readonly revision: string;
  readonly nativeSidecars: boolean;
  readonly proxyImage: string;
  readonly proxyInitImage: string;
  readonly proxyUid: number;
  readonly proxyGid: number;
  readonly compliancePolicy: string;
}

const typeMeta = structType<Owner>({
  name: 'v1.TypeMeta',
  fields: { Kind: ({ kind }) => kind, APIVersion: ({ apiVersion }) => apiVersion },
});

const deploymentMeta = structType<TemplateData>({
  name: 'types.NamespacedName',
  fields: { Namespace: ({ namespace }) => namespace, Name: ({ owner }) => owner.name },
});

const root = structType<TemplateData>({
  name: 'inject.SidecarTemplateData',
  fields: {
    TypeMeta: ({ owner }) => typeMeta.of(owner),
    DeploymentMeta: (data) => deploymentMeta.of(data),
    ObjectMeta: ({ pod, namespace, reads }) =>
      goStruct({ json: placed(record(pod.metadata), namespace), path: ['metadata'], reads }, objectMeta),
    Spec: ({ pod, reads }) => goStruct({ json: record(pod.spec), path: ['spec'], reads }, podSpec),
    ProxyConfig: ({ proxyConfig }) => protoPointer(proxyConfig, proxyConfigType),
    MeshConfig: ({ meshConfig }) => protoPointer(meshConfig, meshConfigType),
    Values: ({ values }): Value => json(values),
    Revision: ({ revision }) => revision,
    NativeSidecars: ({ nativeSidecars }) => nativeSidecars,
    ProxyImage: ({ proxyImage }) => proxyImage,
    ProxyInitImage: ({ proxyInitImage }) => proxyInitImage,
    ProxyUID: ({ proxyUid }) => intOf('int64', proxyUid),
    ProxyGID: ({ proxyGid }) => intOf('int64', proxyGid),
    InboundTrafficPolicyMode: ({ meshConfig }) =>
      record(meshConfig.inboundTrafficPolicy).mode === 'LOCALHOST' ? 'localhost' : 'passthrough',
    CompliancePolicy: ({ compliancePolicy }) => compliancePolicy,
    // Of Istio 1.11 to 1.17.
    EstimatedConcurrency: () => intOf('int', 0),
  },
});

/** A Pod that does not say where it is, is where the request is. */
function placed(metadata: JsonObject, namespace: string): JsonObject {
  return metadata.namespace ? metadata : { ...metadata, namespace };
}

export function templateData(data: TemplateData): Struct {
  return root.of(data);
}
