import { isJsonArray, isJsonObject, type Json } from '../../json/json.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { specOf } from '../model/backend.ts';
import type { Source } from '../model/source.ts';
import { shortList, textOf } from '../model/text.ts';
import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const crdInstead: Rule = {
  id: 'crd-instead',
  category: 'mechanism',
  severity: 'info',
  title: 'A webhook validates or defaults a custom resource whose definition does not',
  why: `A CustomResourceDefinition can set defaults and check rules in CEL (\`x-kubernetes-validations\`), also between fields and between
old and new object. The API server does both by itself: no server to run, nothing to be unavailable, no certificate to expire.`,
  practice: goodPractice('no-crd-validation-defaulting'),
  fix: 'Move defaults to `default:` and checks to `x-kubernetes-validations` in the schema, and keep the webhook for what needs other objects.',
  *check(inventory) {
    const definitions = inventory.list('CustomResourceDefinition');
    for (const webhook of inventory.webhooks) {
      const keyword = webhook.isMutating ? 'default' : 'x-kubernetes-validations';
      const plain = definitions.filter((definition) => {
        const { group, names } = specOf(definition);
        const resource = textOf(membersOf(names).plural);
        const isMatched = webhook.rules.some(
          ({ groups, resources }) => groups.includes(textOf(group)) && resources.includes(resource),
        );
        return isMatched && !uses(definition, keyword);
      });
      if (plain.length === 0) continue;
      const names = shortList(
        plain.map(({ object }) => object.metadata.name ?? ''),
        3,
      );
      const what = webhook.isMutating ? 'sets no defaults' : 'has no validation rules in CEL';
      yield {
        source: webhook.source,
        path: webhook.path,
        message: `${describe(webhook)} is called for ${names}, whose definition ${what}`,
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: widgets.example.com
    rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [widgets]}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: widgets.example.com
    rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [widgets]}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          x-kubernetes-validations: [{rule: self.spec.min <= self.spec.max}]
`,
  ],
};

function uses(definition: Source, keyword: string): boolean {
  return itemsOf(specOf(definition).versions).some((version) => hasKey(membersOf(version).schema, keyword));
}

function hasKey(value: Json | undefined, key: string): boolean {
  if (isJsonArray(value)) return value.some((item) => hasKey(item, key));
  if (!isJsonObject(value)) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((child) => hasKey(child, key));
}
