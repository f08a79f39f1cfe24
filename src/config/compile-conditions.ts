import { CelError } from '../cel/cel-error.ts';
import { compile } from '../cel/compile.ts';
import { CelCompileError } from '../cel/compile-error.ts';
import { kubernetesEnvironment } from '../cel/kubernetes-environment.ts';
import type { Program } from '../cel/program.ts';
import { BOOL, NULL } from '../cel/types.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import type { ResourceRef } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { DeferredBindings } from '../policy/bindings.ts';
import { messagesElsewhere } from '../policy/messages-elsewhere.ts';
import { isOnlyOfTypes, type ObjectTypes, objectTypes } from '../policy/object-types.ts';
import type { ConfigIssue } from '../sdk/config.ts';
import type { Condition } from '../sdk/match.ts';

/**
 * Compiles `match.conditions`. They are also printed as matchConditions of the webhook, so they have the variables that the API server
 * gives these: `object`, `oldObject` and `request`; `namespaceObject` is null.
 */
export function compileConditions(
  expressions: readonly string[],
  kinds: readonly (ResourceRef | '*')[],
  definitions: readonly KubeObject[],
  report: (issue: ConfigIssue) => void,
): Condition[] {
  const known = kinds.map((kind) => ({ kind, types: objectTypes(kind, definitions) }));
  return expressions.flatMap((expression, index) => {
    const program = attempt(expression, index, report);
    if (program === undefined) return [];
    for (const { kind, types } of known) checkTypes(expression, kind, types, index, report);
    return [conditionOf(program)];
  });
}

function attempt(
  expression: string,
  index: number,
  report: (issue: ConfigIssue) => void,
): Program | undefined {
  try {
    return compile(expression, kubernetesEnvironment({ types: { namespaceObject: NULL } }), OPTIONS);
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    const isOnlyOfNamespace = isValid(expression);
    for (const message of messagesElsewhere(error)) {
      const [position = ''] = /^\d+:\d+: /.exec(message) ?? [];
      const hint = `${position}namespaceObject is null in conditions: use "match.namespaceSelector"`;
      report({ path: ['match', 'conditions', index], message: isOnlyOfNamespace ? hint : message });
    }
    return undefined;
  }
}

/** As the API server sees it, which finds fields of null only when it evaluates them. */
function isValid(expression: string): boolean {
  try {
    compile(expression, kubernetesEnvironment(), OPTIONS);
    return true;
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return false;
  }
}

const OPTIONS = { resultType: BOOL };

/** Finds fields that the kind does not have, and other mistakes that its types show. */
function checkTypes(
  expression: string,
  kind: ResourceRef | '*',
  types: ObjectTypes | undefined,
  index: number,
  report: (issue: ConfigIssue) => void,
): void {
  if (types === undefined || kind === '*') return;
  const { object, findStruct } = types;
  try {
    compile(expression, kubernetesEnvironment({ types: { object }, findStruct }));
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    for (const message of messagesElsewhere(error)) {
      if (isOnlyOfTypes(message)) continue;
      report({ path: ['match', 'conditions', index], message: `${message} (for ${kind.kind})` });
    }
  }
}

function conditionOf(program: Program): Condition {
  const { expression } = program;
  return {
    expression,
    holds(object, request) {
      const { subResource, userInfo, oldObject, kind, resource } = request;
      const [json, old] = [asJson(object), oldObject === undefined ? null : asJson(oldObject)];
      const bindings = new DeferredBindings(json, old, () => ({
        request: {
          ...request,
          subresource: subResource,
          user: userInfo,
          object: json,
          oldObject: old,
          options: null,
        },
        kind,
        resource,
        object: json,
        oldObject: old,
        namespaceObject: null,
      }));
      try {
        return program.evaluate(bindings) === true;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        const message = `condition '${expression}' resulted in error: ${error.message}`;
        return new PodgraftError('EXPRESSION_FAILED', message);
      }
    },
  };
}
