import { type AccessCheck, type AccessDecision, type Authorize, CelError } from '../../cel/index.ts';
import { type CallView, isJsonObject, type Json, type JsonObject, NO_CALLS } from '../../sdk/index.ts';

/**
 * Answers `authorizer` by SubjectAccessReviews. An expression that asks for the first time fails, with any error: the verdict is
 * discarded, and the policies are run again with the answer. Undefined if there is no cluster to ask.
 */
export function authorizeByCalls(calls: CallView, isAllowed: boolean): Authorize | undefined {
  if (calls === NO_CALLS) return undefined;
  return (check) => {
    if (!isAllowed)
      throw new CelError(
        'authorizer is not available: set "authorizer: true" below "with" of the injector, and apply the output of `podgraft manifests`',
      );
    const reply = calls.reply({ access: accessOf(check) });
    if (reply === undefined) throw new CelError('the cluster has not answered yet');
    if ('failure' in reply) {
      const { user, verb, path, resource } = check;
      const what = `whether "${user.username}" may ${verb} ${path || resource}`;
      throw new CelError(`cannot ask the cluster ${what}: ${reply.failure}`);
    }
    return decisionOf(reply.body);
  };
}

/** The API server's own checks are for all versions too. Empty strings are left out. */
function accessOf({ user, verb, path, fieldSelector, labelSelector, ...resource }: AccessCheck): JsonObject {
  const { username, uid, groups, extra } = user;
  const attributes = {
    verb,
    version: '*',
    ...Object.fromEntries(Object.entries(resource).filter(([, text]) => text !== '')),
    ...(fieldSelector !== '' && { fieldSelector: { rawSelector: fieldSelector } }),
    ...(labelSelector !== '' && { labelSelector: { rawSelector: labelSelector } }),
  };
  return {
    user: username,
    ...(uid && { uid }),
    ...(groups && { groups: [...groups] }),
    ...(extra && { extra: { ...extra } as JsonObject }),
    ...(path === '' ? { resourceAttributes: attributes } : { nonResourceAttributes: { path, verb } }),
  };
}

function decisionOf(status: Json): AccessDecision {
  const { allowed, reason, evaluationError } = isJsonObject(status) ? status : {};
  const error = typeof evaluationError === 'string' ? withoutSelectors(evaluationError) : '';
  return {
    allowed: allowed === true,
    ...(typeof reason === 'string' && { reason }),
    ...(error !== '' && { error }),
  };
}

/** A selector that cannot be parsed is ignored: a SubjectAccessReview reports that as an error, `authorizer` does not. */
function withoutSelectors(error: string): string {
  const isSelector = (part: string) =>
    part.startsWith('spec.resourceAttributes.') && part.endsWith('ignored due to parse error');
  return error
    .split('; ')
    .filter((part) => !isSelector(part))
    .join('; ');
}
