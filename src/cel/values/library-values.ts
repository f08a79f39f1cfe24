import type { IpAddress } from '../../golang/parse-ip.ts';
import { type Cidr, cidrToString, sameCidr } from '../library/cidr.ts';
import { ipToString, sameIp } from '../library/ip.ts';
import type { NamedFormat } from '../library/named-formats.ts';
import { compareQuantities, type Quantity, quantityToString } from '../library/quantity.ts';
import { compareSemvers, type Semver, semverToString } from '../library/semver.ts';
import type { Url } from '../library/url.ts';
import { Failure, Special } from './values.ts';

/** A value of Kubernetes' own libraries. Compared with a value of another type, it fails. */
abstract class LibraryValue<T> extends Special {
  readonly content: T;

  constructor(content: T) {
    super();
    this.content = content;
  }

  /** Its text. */
  abstract override toString(): string;

  protected abstract isSame(other: T): boolean;

  override equals(other: unknown): boolean | Failure {
    if (!(other instanceof LibraryValue) || other.typeName !== this.typeName)
      return new Failure('no such overload');
    return this.isSame(other.content);
  }
}

export class QuantityValue extends LibraryValue<Quantity> {
  readonly typeName = 'kubernetes.Quantity';

  override toString(): string {
    return quantityToString(this.content);
  }

  protected override isSame(other: Quantity): boolean {
    return compareQuantities(this.content, other) === 0;
  }
}

export class IpValue extends LibraryValue<IpAddress> {
  readonly typeName = 'net.IP';

  override get costSize(): number {
    return this.content.family === 4 ? 4 : 16;
  }

  override toString(): string {
    return ipToString(this.content);
  }

  protected override isSame(other: IpAddress): boolean {
    return sameIp(this.content, other);
  }
}

export class CidrValue extends LibraryValue<Cidr> {
  readonly typeName = 'net.CIDR';

  override get costSize(): number {
    return Math.ceil(this.content.prefixLength / 8);
  }

  override toString(): string {
    return cidrToString(this.content);
  }

  protected override isSame(other: Cidr): boolean {
    return sameCidr(this.content, other);
  }
}

export class UrlValue extends LibraryValue<Url> {
  readonly typeName = 'kubernetes.URL';

  override toString(): string {
    return this.content.text;
  }

  protected override isSame(other: Url): boolean {
    return this.content.text === other.text;
  }
}

export class SemverValue extends LibraryValue<Semver> {
  readonly typeName = 'kubernetes.Semver';

  override toString(): string {
    return semverToString(this.content);
  }

  protected override isSame(other: Semver): boolean {
    return compareSemvers(this.content, other) === 0;
  }
}

export class FormatValue extends LibraryValue<NamedFormat> {
  readonly typeName = 'kubernetes.NamedFormat';

  override toString(): string {
    return this.content.name;
  }

  protected override isSame(other: NamedFormat): boolean {
    return this.content.name === other.name;
  }
}
