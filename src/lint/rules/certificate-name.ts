import { secretSample } from '../model/secret-sample.ts';
import { shortList } from '../model/text.ts';
import { isFor, serverName, servingCertificates } from '../model/trust.ts';
import { type Rule, webhookReference } from '../rule.ts';

export const certificateName: Rule = {
  id: 'certificate-name',
  category: 'certificates',
  severity: 'error',
  title: 'The certificate is not for the name by which the API server calls the webhook',
  why: `The API server calls a URL by its host, and a Service as \`<name>.<namespace>.svc\` and looks for this name in the alternative names of the certificate. The
common name does not count.`,
  practice: webhookReference('service-reference'),
  fix: 'Issue the certificate with `<service>.<namespace>.svc`, or the host of the URL, as an alternative name.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      const name = serverName(webhook);
      const serving = servingCertificates(inventory, webhook);
      if (name === undefined || serving.some(({ certificate }) => isFor(certificate, name))) continue;
      for (const { title, source, path, certificate } of serving) {
        const names = shortList((certificate.subjectAltName ?? '').split(', ').filter(Boolean), 3);
        yield {
          source,
          path,
          message: `${title}: the certificate of webhook "${webhook.name}" is not for ${name}, but for ${names || 'no name'}`,
        };
      }
    }
  },
  bad: [secretSample('<ca>', '<certificate-for-another-name>')],
  good: [secretSample('<ca>', '<certificate>')],
};
