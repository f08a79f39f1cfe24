import { describeCertificate, isValid, splitCertificates } from '../certificates/read-certificate.ts';
import type { Clock } from '../cluster/clock.ts';
import type { Situation } from './decide-step.ts';
import { CA_NAME, type Keyring } from './keyring.ts';
import type { FoundSecret } from './keyring-secret.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

export type Observer = (
  found: FoundSecret,
  configurations: readonly WebhookConfiguration[],
) => Pick<Situation, 'remembered' | 'nextPublishedMs' | 'missingMs' | 'othersMayServe'>;

/** Keeps track of what one replica has seen, and since when. Measured by its own uptime: no two clocks are ever compared. */
export function createObserver(clock: Clock): Observer {
  let known: Keyring | undefined;
  let missingSince: number | undefined;
  let published: { readonly ca: string; readonly since: number } | undefined;

  return (found, configurations) => {
    const uptime = clock.uptime();
    const now = clock.now();
    const remembered = known;
    const keyring = found.state === 'valid' ? found.keyring : undefined;
    known = keyring ?? remembered;
    missingSince = keyring === undefined ? (missingSince ?? uptime) : undefined;

    const trusted = configurations.flatMap(({ caBundles }) => caBundles.map(splitCertificates));
    const next = keyring?.next?.certificate;
    const isPublished = next !== undefined && trusted.every((cas) => cas.includes(next));
    if (!isPublished) published = undefined;
    else if (published?.ca !== next) published = { ca: next, since: uptime };
    return {
      remembered,
      nextPublishedMs: published && uptime - published.since,
      missingMs: uptime - (missingSince ?? uptime),
      othersMayServe: keyring === undefined && trusted.flat().some((ca) => isValidCaOfOurs(ca, now)),
    };
  };
}

function isValidCaOfOurs(certificate: string, now: Date): boolean {
  try {
    return describeCertificate(certificate).subject === `CN=${CA_NAME}` && isValid(certificate, now);
  } catch {
    // Not a certificate. It will be replaced when the bundle is published.
    return false;
  }
}
