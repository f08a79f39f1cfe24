import { secretSample } from '../model/secret-sample.ts';
import { bundleOf, isFor, isTrusted, publicCas, serverName, servingCertificates } from '../model/trust.ts';
import { describe } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

export const certificateIssuer: Rule = {
  id: 'certificate-issuer',
  category: 'certificates',
  severity: 'error',
  title: 'The caBundle does not contain the issuer of the certificate that the server presents',
  why: `The API server rejects the server's certificate, and every call fails. It happens when a CA is renewed and only one side learns
of it, or when a Secret is copied between clusters. The certificate of a Service is read from the Secrets that its Pods mount; with
\`--connect\`, that of a URL is read from the server.`,
  practice: webhookReference('contacting-the-webhook'),
  fix: 'Put the CA that issued the certificate into `caBundle`; during a rotation, both the old and the new one.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      const bundle = bundleOf(webhook);
      const name = serverName(webhook) ?? '';
      // Pods mount Secrets for other purposes, too.
      const serving = servingCertificates(inventory, webhook).filter(
        ({ isPresented, certificate }) => isPresented || isFor(certificate, name),
      );
      const [first] = serving;
      if (bundle?.length === 0 || first === undefined) continue;
      if (bundle === undefined && !first.isPresented) continue;
      const trusted = bundle ?? publicCas();
      if (serving.some((each) => isTrusted(each, trusted))) continue;
      const issuer = first.certificate.issuer.replaceAll('\n', ', ');
      const where = first.isPresented ? `that ${first.title} presents` : `in ${first.title}`;
      yield bundle === undefined
        ? {
            source: webhook.source,
            path: `${webhook.path}/clientConfig`,
            message: `${describe(webhook)} has no caBundle, and no public CA issued the certificate ${where} (${issuer})`,
            // The host of the API server may trust other CAs, too.
            severity: 'warning',
          }
        : {
            source: webhook.source,
            path: `${webhook.path}/clientConfig/caBundle`,
            message: `${describe(webhook)}: caBundle does not contain the issuer of the certificate ${where} (${issuer})`,
          };
    }
  },
  bad: [secretSample('<ca>', '<certificate-of-another-ca>')],
  good: [secretSample('<ca>', '<certificate>')],
};
