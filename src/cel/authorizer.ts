import { CelError } from './cel-error.ts';
import type { Bindings } from './plan/frame.ts';
import {
  type AccessCheck,
  type AccessUser,
  type Authorize,
  AuthorizerValue,
  CheckValue,
} from './values/authorizer-values.ts';

/** The object of the request, of which `authorizer.requestResource` checks access. */
export type RequestResource = Pick<AccessCheck, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;

/** Values of `authorizer` and `authorizer.requestResource`. Without an authorizer, every check is an error that says so. */
export function authorizerBindings(
  authorize: Authorize | undefined,
  user: AccessUser,
  requestResource: RequestResource,
): Bindings {
  const authorizer = new AuthorizerValue(authorize ?? refuse, user);
  return {
    authorizer,
    'authorizer.requestResource': new CheckValue('Resource', authorizer, requestResource),
  };
}

function refuse({ user, verb, path, resource }: AccessCheck): never {
  throw new CelError(
    `authorizer is not available: there is no cluster to ask whether "${user.username}" may ${verb} ${path || resource}`,
  );
}
