import { Failure, Special } from './values.ts';

/** An access check: may a user do something with a resource or a path? Unset texts are empty. */
export interface AccessCheck {
  readonly user: AccessUser;
  readonly verb: string;
  /** Set for checks of paths that are not resources; then the rest is empty. */
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface AccessDecision {
  /** False also if there is no opinion. */
  readonly allowed: boolean;
  readonly reason?: string;
  readonly error?: string;
}

/** Answers checks at once, or throws a CelError. */
export type Authorize = (check: AccessCheck) => AccessDecision;

type Target = Omit<AccessCheck, 'user' | 'verb'>;

/** A value that only has methods. Two of them cannot be compared. */
abstract class AuthorizerPart extends Special {
  override equals(): Failure {
    return new Failure('no such overload');
  }
}

export class AuthorizerValue extends AuthorizerPart {
  readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly authorize: Authorize;
  readonly user: AccessUser;

  constructor(authorize: Authorize, user: AccessUser) {
    super();
    this.authorize = authorize;
    this.user = user;
  }
}

/** A path, a group or a resource that still lacks a verb. */
export class CheckValue extends AuthorizerPart {
  readonly typeName: string;
  readonly authorizer: AuthorizerValue;
  readonly target: Target;

  constructor(kind: 'Path' | 'Group' | 'Resource', authorizer: AuthorizerValue, target: Partial<Target>) {
    super();
    this.typeName = `kubernetes.authorization.${kind}Check`;
    this.authorizer = authorizer;
    this.target = { ...NO_TARGET, ...target };
  }
}

export class DecisionValue extends AuthorizerPart {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

const NO_TARGET: Target = {
  path: '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};
