import { literalKeys } from '../../gotemplate/literal-keys.ts';
import { specializeTemplate, type Template } from '../../gotemplate/template.ts';
import { textsOf } from './pod-json.ts';
import { type TemplateData, templateData } from './template-data.ts';

/** What most Pods have in common. The rest of the data is the Pod's own. */
const COMMON_DATA = [
  'values',
  'meshConfig',
  'proxyConfig',
  'revision',
  'nativeSidecars',
  'proxyImage',
  'proxyInitImage',
  'proxyUid',
  'proxyGid',
  'compliancePolicy',
] as const satisfies readonly (keyof TemplateData)[];

/** The same, as templates know it. Of annotations they ask for many, and a Pod has few of those or none. */
const COMMON = {
  fields: new Set([
    ...['Values', 'MeshConfig', 'ProxyConfig', 'Revision', 'NativeSidecars', 'ProxyImage', 'ProxyInitImage'],
    ...['ProxyUID', 'ProxyGID', 'InboundTrafficPolicyMode', 'CompliancePolicy', 'EstimatedConcurrency'],
  ]),
  lookups: {
    annotation: 'ObjectMeta',
    isset: 'ObjectMeta.Annotations',
    index: 'ObjectMeta.Annotations',
  },
};

interface Variants {
  /** Annotations that the template asks for. */
  readonly asked: ReadonlySet<string>;
  readonly known: Variant[];
}

interface Variant {
  readonly data: TemplateData;
  readonly annotations: string;
  /** How often such data has come. */
  times: number;
  template?: Template;
}

/** As many as there are different proxies in use at a time. */
const KEPT = 16;
/** It takes about as long to specialize a template as it saves with so many Pods. */
export const WORTH_IT = 16;
const memory = new WeakMap<Template, Variants>();

/** The template with what the Pod has in common with most others worked out: little is left to do. */
export function specializedTemplate(template: Template, data: TemplateData): Template {
  const { asked, known } = memory.get(template) ?? newVariants(template);
  const annotations = textOf(data, asked);
  const index = known.findIndex(
    (each) => each.annotations === annotations && COMMON_DATA.every((key) => each.data[key] === data[key]),
  );
  const variant = index < 0 ? { data, annotations, times: 0 } : (known[index] as Variant);
  // The last used comes first, and the last of all is forgotten.
  if (index !== 0) {
    known.splice(index < 0 ? KEPT - 1 : index, 1);
    known.unshift(variant);
  }
  variant.times++;
  if (variant.times >= WORTH_IT)
    variant.template ??= specializeTemplate(template, templateData(data), COMMON);
  return variant.template ?? template;
}

function newVariants(template: Template): Variants {
  const made = { asked: literalKeys(template, Object.keys(COMMON.lookups)), known: [] };
  memory.set(template, made);
  return made;
}

function textOf({ pod }: TemplateData, asked: ReadonlySet<string>): string {
  const annotations = textsOf(pod, 'annotations');
  const keys = Object.keys(annotations).filter((key) => asked.has(key));
  return keys.length === 0 ? '' : JSON.stringify(keys.sort().map((key) => [key, annotations[key]]));
}
