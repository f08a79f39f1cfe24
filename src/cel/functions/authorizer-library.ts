import { type FunctionDeclaration, type Implementation, method } from '../declarations.ts';
import { NAMED_FORMATS } from '../library/named-formats.ts';
import { BOOL, STRING, struct, type Type } from '../types.ts';
import { NO_OVERLOAD } from '../values/arithmetic.ts';
import {
  type AccessCheck,
  type AccessDecision,
  AuthorizerValue,
  CheckValue,
  DecisionValue,
} from '../values/authorizer-values.ts';
import { costSize } from '../values/size.ts';
import { Failure } from '../values/values.ts';
import type { Library } from './merge-libraries.ts';

const AUTHORIZER = struct('kubernetes.authorization.Authorizer');
const PATH_CHECK = struct('kubernetes.authorization.PathCheck');
const GROUP_CHECK = struct('kubernetes.authorization.GroupCheck');
const RESOURCE_CHECK = struct('kubernetes.authorization.ResourceCheck');
const DECISION = struct('kubernetes.authorization.Decision');

/** Two checks exhaust the limit of an expression. */
const CHECK_COST = 350_000;

/** Checks by the cluster's authorizer, built step by step. */
export const authorizerLibrary: Library = [
  {
    name: 'path',
    overloads: [
      method('authorizer_path', [AUTHORIZER, STRING], PATH_CHECK, (authorizer, path) => {
        if (!(authorizer instanceof AuthorizerValue)) return NO_OVERLOAD;
        if (String(path).trim() === '') return new Failure('path must not be empty');
        return new CheckValue('Path', authorizer, { path: String(path) });
      }),
    ],
  },
  {
    name: 'group',
    overloads: [
      method('authorizer_group', [AUTHORIZER, STRING], GROUP_CHECK, (authorizer, group) => {
        if (!(authorizer instanceof AuthorizerValue)) return NO_OVERLOAD;
        return new CheckValue('Group', authorizer, { group: String(group) });
      }),
    ],
  },
  {
    name: 'serviceAccount',
    overloads: [
      method('authorizer_serviceaccount', [AUTHORIZER, STRING, STRING], AUTHORIZER, serviceAccount),
    ],
  },
  {
    name: 'resource',
    overloads: [
      method('groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK, (check, resource) => {
        if (String(resource).trim() === '') return new Failure('resource must not be empty');
        return extended(check, { resource: String(resource) });
      }),
    ],
  },
  detail('subresource', 'resourcecheck_subresource'),
  detail('namespace', 'resourcecheck_namespace'),
  detail('name', 'resourcecheck_name'),
  { ...detail('fieldSelector', 'authorizer_fieldselector'), cost: ([, selector]) => selectorCost(selector) },
  { ...detail('labelSelector', 'authorizer_labelselector'), cost: ([, selector]) => selectorCost(selector) },
  {
    name: 'check',
    cost: () => CHECK_COST,
    overloads: [
      method('pathcheck_check', [PATH_CHECK, STRING], DECISION, ask),
      method('resourcecheck_check', [RESOURCE_CHECK, STRING], DECISION, ask),
    ],
  },
  reader('allowed', BOOL, ({ allowed }) => allowed),
  reader('reason', STRING, ({ reason }) => reason ?? ''),
  reader('errored', BOOL, ({ error }) => error !== undefined),
  reader('error', STRING, ({ error }) => error ?? ''),
];

function serviceAccount(authorizer: unknown, namespace: unknown, name: unknown): unknown {
  if (!(authorizer instanceof AuthorizerValue)) return NO_OVERLOAD;
  if (isInvalid('dns1123Subdomain', String(name))) return new Failure('Invalid service account name');
  if (isInvalid('dns1123Label', String(namespace))) return new Failure('Invalid service account namespace');
  return new AuthorizerValue(authorizer.authorize, {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  });
}

function isInvalid(format: string, text: string): boolean {
  return NAMED_FORMATS.get(format)?.problems(text).length !== 0;
}

function detail(name: keyof CheckValue['target'], id: string): FunctionDeclaration {
  const call: Implementation = (check, value) => extended(check, { [name]: String(value) });
  return { name, overloads: [method(id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK, call)] };
}

function extended(check: unknown, target: Partial<AccessCheck>): unknown {
  if (!(check instanceof CheckValue)) return NO_OVERLOAD;
  return new CheckValue('Resource', check.authorizer, { ...check.target, ...target });
}

function ask(check: unknown, verb: unknown): unknown {
  if (!(check instanceof CheckValue)) return NO_OVERLOAD;
  const { authorize, user } = check.authorizer;
  return new DecisionValue(authorize({ ...check.target, user, verb: String(verb) }));
}

function reader(name: string, type: Type, read: (decision: AccessDecision) => unknown): FunctionDeclaration {
  const call: Implementation = (value) =>
    value instanceof DecisionValue ? read(value.decision) : NO_OVERLOAD;
  return { name, overloads: [method(`decision_${name}`, [DECISION], type, call)] };
}

/** A list of requirements, each of which has at least two characters. */
function selectorCost(selector: unknown): number {
  const length = costSize(selector);
  return 10 + Math.ceil(length / 10) + Math.ceil(Math.ceil(length / 2) * 50);
}
