import { intOf, json, type Struct, structType } from '../../../gotemplate/index.ts';
import {
  annotationsOf,
  asJson,
  type DeepReadonly,
  type JsonObject,
  type Pod,
  withMember,
} from '../../../sdk/index.ts';
import type { Configuration } from '../config/configuration.ts';
import { meshConfigType, proxyConfigType } from '../config/mesh-types.ts';
import { protoPointer } from '../config/proto-value.ts';
import { PROXY_IMAGE_TYPE } from '../names.ts';
import { asObject } from '../pod-json.ts';
import { goStruct, type OnRead } from '../pod-types/go-struct.ts';
import type { Settings } from '../settings.ts';
import type { ProxyIds } from './openshift.ts';
import { type Owner, ownerOf } from './owner.ts';
import { proxyImage, proxyInitImage } from './proxy-image.ts';

/** All data of templates, unconverted: fields that a template does not read cost nothing. */
export interface TemplateData {
  readonly pod: JsonObject;
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

export function templateData(
  pod: DeepReadonly<Pod>,
  { mesh, values }: Configuration,
  settings: Settings,
  own: {
    readonly namespace: string;
    readonly proxyConfig: JsonObject;
    readonly nativeSidecars: boolean;
    readonly ids: ProxyIds;
  },
): TemplateData {
  const { namespace, proxyConfig, nativeSidecars, ids } = own;
  const imageType = annotationsOf(pod)[PROXY_IMAGE_TYPE];
  return {
    pod: asJson(pod),
    owner: ownerOf(pod),
    namespace,
    proxyConfig,
    meshConfig: mesh,
    values,
    revision: settings.revision,
    nativeSidecars,
    proxyImage: proxyImage(values, proxyConfig, imageType),
    proxyInitImage: proxyInitImage(values, imageType),
    proxyUid: ids.uid,
    proxyGid: ids.gid,
    compliancePolicy: settings.compliancePolicy,
  };
}

/** The data as templates see it. `onRead` is called for everything that they read of the Pod. */
export function templateRoot(data: TemplateData, onRead?: OnRead): Struct {
  return root.of({ data, onRead });
}

const typeMeta = structType<Owner>({
  name: 'v1.TypeMeta',
  fields: { Kind: ({ kind }) => kind, APIVersion: ({ apiVersion }) => apiVersion },
});

const deploymentMeta = structType<TemplateData>({
  name: 'types.NamespacedName',
  fields: { Namespace: ({ namespace }) => namespace, Name: ({ owner }) => owner.name },
});

interface Root {
  readonly data: TemplateData;
  readonly onRead: OnRead | undefined;
}

const root = structType<Root>({
  name: 'inject.SidecarTemplateData',
  fields: {
    TypeMeta: ({ data }) => typeMeta.of(data.owner),
    DeploymentMeta: ({ data }) => deploymentMeta.of(data),
    ObjectMeta: ({ data: { pod, namespace }, onRead }) =>
      goStruct(
        { json: withNamespace(asObject(pod.metadata), namespace), path: ['metadata'], onRead },
        'ObjectMeta',
      ),
    Spec: ({ data: { pod }, onRead }) =>
      goStruct({ json: asObject(pod.spec), path: ['spec'], onRead }, 'PodSpec'),
    ProxyConfig: ({ data }) => protoPointer(data.proxyConfig, proxyConfigType),
    MeshConfig: ({ data }) => protoPointer(data.meshConfig, meshConfigType),
    Values: ({ data }) => json(data.values),
    Revision: ({ data }) => data.revision,
    NativeSidecars: ({ data }) => data.nativeSidecars,
    ProxyImage: ({ data }) => data.proxyImage,
    ProxyInitImage: ({ data }) => data.proxyInitImage,
    ProxyUID: ({ data }) => intOf('int64', data.proxyUid),
    ProxyGID: ({ data }) => intOf('int64', data.proxyGid),
    InboundTrafficPolicyMode: ({ data }) =>
      asObject(data.meshConfig.inboundTrafficPolicy).mode === 'LOCALHOST' ? 'localhost' : 'passthrough',
    CompliancePolicy: ({ data }) => data.compliancePolicy,
    // For templates of Istio 1.11 to 1.17.
    EstimatedConcurrency: () => intOf('int', 0),
  },
});

/** The Pod's namespace may be empty: then it is the request's. */
function withNamespace(metadata: JsonObject, namespace: string): JsonObject {
  return metadata.namespace ? metadata : withMember(metadata, 'namespace', namespace);
}
