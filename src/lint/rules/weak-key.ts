import type { X509Certificate } from 'node:crypto';
import { secretSample } from '../model/secret-sample.ts';
import { bundleOf, servingCertificates } from '../model/trust.ts';
import { describe } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

export const weakKey: Rule = {
  id: 'weak-key',
  category: 'certificates',
  severity: 'warning',
  title: 'A certificate has a short key or an obsolete signature',
  why: `Anyone who can forge the certificate of a webhook reads and changes every object that passes through it, Secrets included. RSA keys
below 2048 bits and signatures with MD5 or SHA-1 are within reach, and Go, in which the API server is written, rejects the latter.`,
  practice: webhookReference('contacting-the-webhook'),
  fix: 'Issue a new certificate with ECDSA P-256, or RSA with at least 2048 bits, and SHA-256.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      for (const certificate of bundleOf(webhook) ?? []) {
        const problem = weaknessOf(certificate);
        if (problem === undefined) continue;
        const path = `${webhook.path}/clientConfig/caBundle`;
        yield {
          source: webhook.source,
          path,
          message: `${describe(webhook)}: a CA of caBundle has ${problem}`,
        };
      }
      for (const { title, source, path, certificate } of servingCertificates(inventory, webhook)) {
        const problem = weaknessOf(certificate);
        if (problem === undefined) continue;
        const message = `${title}: the certificate of webhook "${webhook.name}" has ${problem}`;
        yield { source, path, message };
      }
    }
  },
  bad: [
    secretSample('<ca>', '<certificate-with-1024-bits>'),
    secretSample('<ca>', '<certificate-with-sha1>'),
  ],
  good: [secretSample('<ca>', '<certificate>')],
};

function weaknessOf(certificate: X509Certificate): string | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails } = certificate.publicKey;
  const { modulusLength: bits = 0 } = asymmetricKeyDetails ?? {};
  if (type === 'rsa' && bits < 2048) return `an RSA key of ${bits} bits`;
  // A self-signature is never verified.
  if (certificate.checkIssued(certificate)) return undefined;
  const found = OBSOLETE.find(([oid]) => certificate.raw.includes(Buffer.from(oid, 'hex')));
  return found && `a signature with ${found[1]}`;
}

/** Encoded object identifiers of signature algorithms. */
const OBSOLETE = [
  ['06092a864886f70d010104', 'MD5'],
  ['06092a864886f70d010105', 'SHA-1'],
  ['06072a8648ce3d0401', 'SHA-1'],
] as const;
