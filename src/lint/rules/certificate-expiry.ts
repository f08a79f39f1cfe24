import type { X509Certificate } from 'node:crypto';
import { bundleOf, servingCertificates } from '../model/trust.ts';
import { describe } from '../model/webhook.ts';
import { type Rule, type Severity, webhookReference } from '../rule.ts';

const DAY = 24 * 60 * 60 * 1000;

export const certificateExpiry: Rule = {
  id: 'certificate-expiry',
  category: 'certificates',
  severity: 'error',
  title: 'A certificate has expired or will soon',
  why: `From one second to the next every call fails, often a year after anybody last thought of the webhook. "Soon" is less than 30 days, or
less than a tenth of its life for short-lived certificates, which should have been renewed by then.`,
  practice: webhookReference('contacting-the-webhook'),
  fix: 'Renew the certificate, and let something renew it from now on: cert-manager, or the server itself.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      const { source, path } = webhook;
      // During a rotation the bundle contains the old CA as well.
      const worst = (bundleOf(webhook) ?? []).map((each) => lifeOf(each, inventory.now));
      const best = worst.toSorted((one, other) => other.ends - one.ends)[0];
      if (best?.problem !== undefined) {
        const [severity, text] = best.problem;
        const message = `${describe(webhook)}: the CA of caBundle ${text}`;
        yield { source, path: `${path}/clientConfig/caBundle`, message, severity };
      }
      for (const serving of servingCertificates(inventory, webhook)) {
        const { problem } = lifeOf(serving.certificate, inventory.now);
        if (problem === undefined) continue;
        const [severity, text] = problem;
        const message = `${serving.title}: the certificate of webhook "${webhook.name}" ${text}`;
        yield { source: serving.source, path: serving.path, message, severity };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig:
      caBundle: <expired-ca>
      service: {namespace: example, name: webhook}
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig:
      caBundle: <ca-with-5-days-left>
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
  ],
};

interface Life {
  readonly ends: number;
  readonly problem: readonly [Severity, string] | undefined;
}

function lifeOf({ validFrom, validTo }: X509Certificate, now: Date): Life {
  const [starts, ends] = [Date.parse(validFrom), Date.parse(validTo)];
  const left = ends - now.getTime();
  const date = new Date(ends).toISOString().slice(0, 10);
  if (left <= 0) return { ends, problem: ['error', `expired on ${date}`] };
  if (starts > now.getTime()) {
    const from = new Date(starts).toISOString().slice(0, 10);
    return { ends, problem: ['error', `is not valid before ${from}`] };
  }
  const isSoon = left < Math.min(30 * DAY, (ends - starts) / 10);
  const days = Math.floor(left / DAY);
  return { ends, problem: isSoon ? ['warning', `expires on ${date}, in ${days} days`] : undefined };
}
