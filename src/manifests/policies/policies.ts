import { kindType } from '../../graft/field-schema.ts';
import { overlayExpressions } from '../../graft/overlay-expressions.ts';
import { shapeOf } from '../../graft/shape-of.ts';
import { podSpecPathOf } from '../../graft/without-shared-amounts.ts';
import type { JsonObject } from '../../json/json.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import { typedKind } from '../../kube/typed/schema.ts';
import type { Pipeline, Stage } from '../../pipeline/pipeline.ts';
import { paramsFields } from './expression-reads.ts';
import { Inexpressible } from './inexpressible.ts';
import { matchText } from './match-text.ts';
import { ANY_KIND, mutationsOf } from './mutations.ts';
import { orderedPlace } from './ordered-place.ts';
import { meetingPlace, overlayWrites } from './overlay-writes.ts';
import { readsOf, type Source, sourceOf } from './policy-source.ts';

export interface PolicySettings {
  /** Before the names of all objects. */
  readonly name: string;
  /** Default: all that are not excluded. */
  readonly onlyNamespaces?: readonly string[];
  /** What happens if an object is not as the policies leave it. */
  readonly action: 'Deny' | 'Warn';
}

export interface Policies {
  readonly objects: readonly JsonObject[];
  /** What stays in the webhook. */
  readonly rest: Pipeline;
  readonly reasons: readonly { readonly injector: string; readonly reason: string }[];
}

/** The injectors of a pipeline that need no server, as policies of the API server, and why the others need one. */
export function policiesOf(pipeline: Pipeline, settings: PolicySettings): Policies {
  const objects: JsonObject[] = [];
  const rest: Stage[] = [];
  const reasons: { injector: string; reason: string }[] = [];
  const earlier: Stage[] = [];
  for (const stage of pipeline.stages) {
    try {
      objects.push(...stagePolicies(stage, earlier, pipeline, settings));
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      rest.push(stage);
      reasons.push({ injector: stage.name, reason: error.message });
    }
    earlier.push(stage);
  }
  return { objects, rest: { ...pipeline, stages: rest }, reasons };
}

function stagePolicies(
  stage: Stage,
  earlier: readonly Stage[],
  pipeline: Pipeline,
  settings: PolicySettings,
): readonly JsonObject[] {
  const source = sourceOf(stage);
  if (source === undefined) throw new Inexpressible(`"${stage.injector.name}" is more than an overlay`);
  checkParams(source);
  for (const other of earlier) checkOrder(source, other);
  const { match } = stage;
  return match.kinds.flatMap((ref) => {
    if (ref === '*' && Object.keys(source.overlay).some((field) => field !== 'metadata')) {
      throw new Inexpressible('it is for all kinds, and their fields differ');
    }
    const matched = matchText(match, ref, pipeline, settings.onlyNamespaces);
    if (matched === undefined) return [];
    const suffix = match.kinds.length === 1 ? '' : `-${suffixFor(ref, match.kinds)}`;
    const name = `${settings.name}-${stage.name}${suffix}`;
    return kindPolicies(name, source, ref, matched, { action: settings.action, onError: stage.onError });
  });
}

/** Mutating policies see parameters of built-in kinds without `kind` and `apiVersion`. */
function checkParams({ overlay, variables, params }: Source): void {
  if (params === undefined || typedKind(apiVersionOf(params.ref), params.ref.kind) === undefined) return;
  const inOverlay = overlayExpressions(overlay).map(({ expression }) => expression);
  const fields = [...inOverlay, ...Object.values(variables)].flatMap(paramsFields);
  const field = fields.find((each) => each === 'kind' || each === 'apiVersion');
  if (field === undefined) return;
  throw new Inexpressible(
    `an expression reads "params.${field}", which built-in kinds do not have in policies`,
  );
}

function suffixFor(ref: ResourceRef | '*', kinds: readonly (ResourceRef | '*')[]): string {
  if (ref === '*') return 'any';
  const { group, resource, version } = ref;
  const name = group === '' ? resource : `${resource}.${group}`;
  const versions = kinds.filter(
    (other) => other !== '*' && other.group === group && other.resource === resource,
  );
  return versions.length === 1 ? name : `${name}.${version}`;
}

/** The API server runs policies in any order. */
function checkOrder(source: Source, other: Stage): void {
  const rival = sourceOf(other);
  if (rival === undefined) return;
  const order = 'the order of policies is not defined';
  const place = orderedPlace(rival.overlay, source.overlay);
  if (place !== undefined) {
    throw new Inexpressible(`it sets "${place}" after injector "${other.name}", and ${order}`);
  }
  const read = meetingPlace(readsOf(source), overlayWrites(rival.overlay));
  if (read !== undefined) {
    throw new Inexpressible(`it reads "${read}", which injector "${other.name}" may change, and ${order}`);
  }
  const written = meetingPlace(readsOf(rival), overlayWrites(source.overlay));
  if (written === undefined) return;
  throw new Inexpressible(`it may change "${written}", which injector "${other.name}" reads, and ${order}`);
}

function kindPolicies(
  name: string,
  { injector, overlay, variables, params }: Source,
  ref: ResourceRef | '*',
  matched: NonNullable<ReturnType<typeof matchText>>,
  { action, onError }: Pick<PolicySettings, 'action'> & Pick<Stage, 'onError'>,
): readonly JsonObject[] {
  const expressions = { variables, hasParams: params !== undefined };
  const [apiVersion, kind] = ref === '*' ? ['', '*'] : [apiVersionOf(ref), ref.kind];
  const type = ref === '*' ? ANY_KIND : kindType(apiVersion, kind);
  const form = { shape: shapeOf(apiVersion, kind), podSpec: podSpecPathOf({ apiVersion, kind }) };
  const { mutations, remaining } = mutationsOf(overlay, form, type, expressions);
  if (mutations.length === 0) return [];
  const common = {
    // A policy is never unreachable: only its expressions can fail, and then the webhook would deny the object, too.
    failurePolicy: onError === 'skip' ? 'Ignore' : 'Fail',
    ...(params && { paramKind: { apiVersion: apiVersionOf(params.ref), kind: params.ref.kind } }),
    ...matched,
  };
  const own = Object.entries(variables).map(([each, expression]) => ({ name: each, expression }));
  const rest = freeName('remaining', variables);
  const binding = {
    policyName: name,
    // Without the object, the overlay does nothing.
    ...(params && { paramRef: { ...params.place, parameterNotFoundAction: 'Allow' } }),
  };
  const object = (kind: string, spec: object) =>
    ({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec }) as JsonObject;
  return [
    object('MutatingAdmissionPolicy', {
      ...common,
      reinvocationPolicy: 'IfNeeded',
      ...(own.length > 0 && { variables: own }),
      mutations,
    }),
    object('MutatingAdmissionPolicyBinding', binding),
    object('ValidatingAdmissionPolicy', {
      ...common,
      variables: [...own, { name: rest, expression: remaining }],
      validations: [
        {
          expression: `size(variables.${rest}) == 0`,
          messageExpression: `${JSON.stringify(`injection is incomplete: "${injector}" would still change `)} + variables.${rest}.join(', ')`,
        },
      ],
    }),
    object('ValidatingAdmissionPolicyBinding', { ...binding, validationActions: [action] }),
  ];
}

function freeName(name: string, taken: object): string {
  return name in taken ? freeName(`${name}_`, taken) : name;
}
