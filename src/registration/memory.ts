import { describeCertificate } from '../certificates/describe-certificate.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import type { Clock } from './clock.ts';
import { isValid } from './condition.ts';
import type { Situation } from './decide.ts';
import type { Keyring } from './keyring.ts';
import { type FoundSecret, readKeyring } from './keyring-secret.ts';
import { CA_NAME } from './next-keyring.ts';
import { trustedBy, type WebhookConfiguration } from './webhook-configuration.ts';

type Observed = Pick<Situation, 'remembered' | 'nextPublishedMs' | 'missingMs' | 'othersMayServe'>;

/** What one replica has seen, and since when. By its own uptime: no two clocks are ever compared. */
export class Memory {
  #keyring: Keyring | undefined;
  #missingSince: number | undefined;
  #published: { readonly ca: string; readonly since: number } | undefined;
  #read: { readonly version: string | undefined; readonly found: FoundSecret } | undefined;
  readonly #present = new Map<string, boolean>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it is news that this is there, or is not. */
  noticed(what: string, isPresent: boolean): boolean {
    const isNews = this.#present.get(what) !== isPresent;
    this.#present.set(what, isPresent);
    return isNews;
  }

  /** Reads a Secret that has not changed only once: checking keys holds up the reviews that this process answers. */
  read(secret: KubeObject | undefined): FoundSecret {
    const version = secret?.metadata.resourceVersion;
    if (this.#read === undefined || version === undefined || this.#read.version !== version) {
      this.#read = { version, found: readKeyring(secret) };
    }
    return this.#read.found;
  }

  observe(found: FoundSecret, configurations: readonly WebhookConfiguration[]): Observed {
    const uptime = this.#clock.uptime();
    const remembered = this.#keyring;
    const next = found.state === 'whole' ? found.keyring.next?.certificate : undefined;
    if (found.state === 'whole') this.#keyring = found.keyring;
    this.#missingSince = found.state === 'whole' ? undefined : (this.#missingSince ?? uptime);
    this.#published = this.#publishedNow(next, configurations, uptime);
    const now = this.#clock.now();
    return {
      remembered,
      nextPublishedMs: this.#published && uptime - this.#published.since,
      missingMs: uptime - (this.#missingSince ?? uptime),
      othersMayServe:
        found.state !== 'whole' &&
        configurations.some((configuration) =>
          trustedBy(configuration)
            .flat()
            .some((ca) => isGoodCaOfOurs(ca, now)),
        ),
    };
  }

  #publishedNow(next: string | undefined, configurations: readonly WebhookConfiguration[], uptime: number) {
    if (next === undefined || !configurations.every((each) => trusts(each, next))) return undefined;
    return this.#published?.ca === next ? this.#published : { ca: next, since: uptime };
  }
}

function trusts(configuration: WebhookConfiguration, ca: string): boolean {
  return trustedBy(configuration).every((trusted) => trusted.includes(ca));
}

function isGoodCaOfOurs(certificate: string, now: Date): boolean {
  try {
    return describeCertificate(certificate).subject === `CN=${CA_NAME}` && isValid(certificate, now);
  } catch {
    // Somebody else's text; it is replaced when the bundle is published.
    return false;
  }
}
