import type { Manifest } from './manifest.ts';
import { type ManifestSettings, metadataFor } from './settings.ts';

/** What must be there for the certificate; nothing where the user brings the Secret. */
export function tls(settings: ManifestSettings): readonly Manifest[] {
  const { mode } = settings.tls;
  if (mode === 'self-managed') return [ownSecret(settings, settings.tls.secret)];
  return mode === 'cert-manager' ? certManager(settings, settings.tls.secret) : [];
}

function ownSecret(settings: ManifestSettings, secret: string): Manifest {
  return {
    purpose: 'Empty: podgraft fills it, and applying this again leaves what is in it alone.',
    object: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadataFor(settings, secret),
      type: 'podgraft.dev/tls',
    },
  };
}

/** A CA of its own, and not one self-signed certificate: renewing the latter would change the CA every time. */
function certManager(settings: ManifestSettings, secret: string): readonly Manifest[] {
  const { name, namespace } = settings;
  const ca = `${name}-ca`;
  const issuer = (issuerName: string, spec: object): Manifest => ({
    object: {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: metadataFor(settings, issuerName),
      spec,
    },
  });
  const certificate = (certificateName: string, spec: object): Manifest => ({
    object: {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: metadataFor(settings, certificateName),
      spec: { privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' }, ...spec },
    },
  });
  return [
    {
      ...issuer(`${name}-self-signed`, { selfSigned: {} }),
      purpose:
        'By cert-manager: a CA that signs the serving certificate. A self-signed serving certificate would be its own\n' +
        'CA, and so a new one at every renewal.',
    },
    certificate(ca, {
      isCA: true,
      commonName: ca,
      secretName: ca,
      duration: '43800h0m0s',
      issuerRef: { kind: 'Issuer', name: `${name}-self-signed` },
    }),
    issuer(ca, { ca: { secretName: ca } }),
    certificate(name, {
      secretName: secret,
      dnsNames: [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`],
      duration: '2160h0m0s',
      usages: ['digital signature', 'server auth'],
      issuerRef: { kind: 'Issuer', name: ca },
    }),
  ];
}
