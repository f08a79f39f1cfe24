import { annotationsOf } from '../../kube/kube-object.ts';
import { grantsOf, writesTo } from '../model/grants.ts';
import type { Inventory } from '../model/inventory.ts';
import { bundleOf, serverName } from '../model/trust.ts';
import { describe, type Webhook } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

/** Controllers that fill in the bundle of objects with these annotations. */
const INJECTED = [
  'cert-manager.io/inject-ca-from',
  'cert-manager.io/inject-ca-from-secret',
  'cert-manager.io/inject-apiserver-ca',
  'service.beta.openshift.io/inject-cabundle',
];

export const caBundle: Rule = {
  id: 'ca-bundle',
  category: 'certificates',
  severity: 'error',
  title: 'The caBundle is missing or contains no certificate',
  why: `The API server trusts a webhook only if its certificate is issued by a CA of the bundle. Without one it uses the CAs of its operating
system, none of which issues certificates for \`.svc\`. It does not check the bundle when it is stored: the first call fails.`,
  practice: webhookReference('contacting-the-webhook'),
  fix: 'Put the CA in PEM, base64-encoded, into `clientConfig.caBundle`, or let cert-manager do it with the annotation `cert-manager.io/inject-ca-from`.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      const bundle = bundleOf(webhook);
      const path = `${webhook.path}/clientConfig`;
      if (bundle?.length === 0) {
        const message = `${describe(webhook)}: caBundle contains no PEM certificate`;
        yield { source: webhook.source, path: `${path}/caBundle`, message };
      }
      // A public CA may have issued the certificate of a URL.
      if (bundle !== undefined || webhook.service === undefined) continue;
      const severity = severityOfMissing(inventory, webhook);
      if (severity === undefined) continue;
      const unless = severity === 'error' ? '' : 'unless something fills it in, ';
      const message = `${describe(webhook)} has no caBundle: ${unless}the API server does not trust ${serverName(webhook)}`;
      yield { source: webhook.source, path, message, severity };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig:
      caBundle: Q2VydGlmaWNhdGU=   # "Certificate"
      service: {namespace: example, name: webhook}
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig:
      service: {namespace: example, name: webhook}
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig:
      caBundle: <ca>
      service: {namespace: example, name: webhook}
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: example
  annotations: {cert-manager.io/inject-ca-from: example/webhook}
webhooks:
  - name: pods.example.com
    clientConfig:
      service: {namespace: example, name: webhook}
`,
  ],
};

/** Undefined if something will fill it in. */
function severityOfMissing(inventory: Inventory, { source }: Webhook): 'error' | 'info' | undefined {
  // In a cluster, it should be there by now.
  if (inventory.isLive) return 'error';
  const annotations = annotationsOf(source.object);
  if (INJECTED.some((name) => annotations[name] !== undefined)) return undefined;
  const { kind, metadata } = source.object;
  // Skip all-powerful subjects: they may not be the injector of the bundle.
  const isFilled = grantsOf(inventory).some(
    (grant) =>
      grant.subject.kind === 'ServiceAccount' &&
      !grant.resources.includes('*') &&
      writesTo(grant, 'admissionregistration.k8s.io', `${kind.toLowerCase()}s`).some((verb) =>
        ['patch', 'update'].includes(verb),
      ) &&
      (grant.names.length === 0 || grant.names.includes(metadata.name ?? '')),
  );
  return isFilled ? undefined : 'info';
}
