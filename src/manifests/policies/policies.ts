import { shapeOf } from '../../graft/shape-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import type { Pipeline, Stage } from '../../pipeline/pipeline.ts';
import { Inexpressible } from './inexpressible.ts';
import { matchText } from './match-text.ts';
import { mutationsOf } from './mutations.ts';
import { orderedPlace } from './ordered-place.ts';

export interface PolicySettings {
  /** Before the names of all objects. */
  readonly name: string;
  readonly failClosed?: boolean;
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
  const overlay = overlayOf(stage);
  if (overlay === undefined) throw new Inexpressible(`"${stage.injector.name}" is more than an overlay`);
  for (const other of earlier) {
    const rival = overlayOf(other);
    const place = rival && orderedPlace(rival, overlay);
    if (place === undefined) continue;
    const order = 'the order of policies is not defined';
    throw new Inexpressible(`it sets "${place}" after injector "${other.name}", and ${order}`);
  }
  const { match } = stage;
  if (usesExpressions(overlay)) throw new Inexpressible('its overlay has expressions');
  return match.kinds.flatMap((ref) => {
    if (ref === '*') throw new Inexpressible('it is for all kinds');
    const matched = matchText(match, ref, pipeline, settings.onlyNamespaces);
    if (matched === undefined) return [];
    const suffix =
      match.kinds.length === 1 ? '' : `-${ref.resource}${ref.group === '' ? '' : `.${ref.group}`}`;
    return kindPolicies(`${settings.name}-${stage.name}${suffix}`, stage, overlay, ref, matched, settings);
  });
}

function usesExpressions(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, child]) => key === '$cel' || key === '$when' || usesExpressions(child as Json),
  );
}

/** The overlay of the injectors whose configuration is one. */
function overlayOf({ injector, config }: Stage): JsonObject | undefined {
  if (!isJsonObject(config)) return undefined;
  const overlay = injector.name === 'overlay' ? config.overlay : injector.name === 'metadata' ? config : null;
  return isJsonObject(overlay) ? overlay : undefined;
}

function kindPolicies(
  name: string,
  { name: injector }: Stage,
  overlay: JsonObject,
  ref: ResourceRef,
  matched: NonNullable<ReturnType<typeof matchText>>,
  { failClosed = false, action }: PolicySettings,
): readonly JsonObject[] {
  const { mutations, remaining } = mutationsOf(overlay, shapeOf(apiVersionOf(ref), ref.kind));
  if (mutations.length === 0) return [];
  const common = { failurePolicy: failClosed ? 'Fail' : 'Ignore', ...matched };
  const object = (kind: string, spec: object) =>
    ({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec }) as JsonObject;
  return [
    object('MutatingAdmissionPolicy', { ...common, reinvocationPolicy: 'IfNeeded', mutations }),
    object('MutatingAdmissionPolicyBinding', { policyName: name }),
    object('ValidatingAdmissionPolicy', {
      ...common,
      variables: [{ name: 'remaining', expression: remaining }],
      validations: [
        {
          expression: 'size(variables.remaining) == 0',
          messageExpression: `${JSON.stringify(`the object is not as it was injected: "${injector}" would still change `)} + variables.remaining.join(', ')`,
        },
      ],
    }),
    object('ValidatingAdmissionPolicyBinding', { policyName: name, validationActions: [action] }),
  ];
}
