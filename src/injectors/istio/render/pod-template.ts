import { execute, specializeTemplate, type Template } from '../../../gotemplate/index.ts';
import type { JsonObject } from '../../../sdk/index.ts';
import { asObject, metadataOf } from '../pod-json.ts';
import type { OnRead } from '../pod-types/go-struct.ts';
import { readDocument } from './read-document.ts';
import { type TemplateData, templateRoot } from './template-data.ts';

/**
 * A template and its variant for ordinary Pods. Those have the mesh's proxy settings, and none of the annotations that the
 * template looks up.
 */
export interface PodTemplate {
  readonly template: Template;
  readonly ordinary?: {
    readonly template: Template;
    readonly proxyConfig: JsonObject;
    /** Annotations that an ordinary Pod does not have. */
    readonly absent: ReadonlySet<string>;
  };
}

/** Fields with the same values for all ordinary Pods of a configuration. */
const FIELDS = new Set([
  'Values',
  'MeshConfig',
  'ProxyConfig',
  'InboundTrafficPolicyMode',
  'Revision',
  'CompliancePolicy',
]);
const LOOKUPS = {
  annotation: 'ObjectMeta',
  isset: 'ObjectMeta.Annotations',
  index: 'ObjectMeta.Annotations',
};

/** Specializes a template for ordinary Pods such as the sample: most of its evaluation is the same for all of them. */
export function podTemplate(template: Template, sample: TemplateData): PodTemplate {
  const root = templateRoot(sample);
  const document = readDocument(execute(template, root), template.name);
  // A Pod that is injected a second time has those that the template adds.
  const added = asObject(asObject(document.metadata).annotations);
  const absent = new Set<string>();
  const isKnownKey = (key: string) => {
    const isAbsent = !Object.hasOwn(added, key);
    if (isAbsent) absent.add(key);
    return isAbsent;
  };
  const ordinary = specializeTemplate(template, root, { fields: FIELDS, lookups: LOOKUPS, isKnownKey });
  return { template, ordinary: { template: ordinary, proxyConfig: sample.proxyConfig, absent } };
}

export function renderText({ template, ordinary }: PodTemplate, data: TemplateData, onRead: OnRead): string {
  const isOrdinary =
    ordinary !== undefined &&
    data.proxyConfig === ordinary.proxyConfig &&
    !Object.keys(metadataOf(data.pod, 'annotations')).some((key) => ordinary.absent.has(key));
  return execute(isOrdinary ? ordinary.template : template, templateRoot(data, onRead));
}
