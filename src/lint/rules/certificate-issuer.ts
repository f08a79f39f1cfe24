import { secretSample } from '../model/secret-sample.ts';
import { titleOf } from '../model/source.ts';
import { bundleOf, isTrusted, serverName, servingCertificates } from '../model/trust.ts';
import { describe } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

export const certificateIssuer: Rule = {
  id: 'certificate-issuer',
  category: 'certificates',
  severity: 'error',
  title: 'The caBundle does not contain the issuer of the certificate that the server presents',
  why: `The API server rejects the server's certificate, and every call fails. It happens when a CA is renewed and only one side learns
of it, or when a Secret is copied between clusters.`,
  practice: webhookReference('contacting-the-webhook'),
  mend: 'Put the CA that issued the certificate into `caBundle`; during a rotation, both the old and the new one.',
  *check(world) {
    for (const webhook of world.webhooks) {
      const bundle = bundleOf(webhook) ?? [];
      const name = serverName(webhook);
      const serving = servingCertificates(world, webhook).filter(
        ({ certificate }) => name !== undefined && certificate.checkHost(name) !== undefined,
      );
      const [first] = serving;
      if (bundle.length === 0 || first === undefined || serving.some((each) => isTrusted(each, bundle)))
        continue;
      const issuer = first.certificate.issuer.replaceAll('\n', ', ');
      yield {
        source: webhook.source,
        path: `${webhook.path}/clientConfig/caBundle`,
        message: `${describe(webhook)}: caBundle does not contain the issuer of the certificate in ${titleOf(first.secret)} (${issuer})`,
      };
    }
  },
  bad: [secretSample('<ca>', '<certificate-of-another-ca>')],
  good: [secretSample('<ca>', '<certificate>')],
};
