/** The entry point `podgraft`: what injectors import. The built-in ones import only this and the libraries' entry points. */
export { cacheByObject, cacheByTexts } from '../cache.ts';
export { fieldProblems } from '../graft/check-fields.ts';
export { directiveProblems, kindProblems } from '../graft/check-overlay.ts';
export { defaultedFields } from '../graft/defaulted-fields.ts';
export { definedType } from '../graft/defined-type.ts';
export {
  type Absent,
  type AbsentItem,
  type At,
  absent,
  at,
  type Force,
  force,
  isDirective,
  isMinimum,
  type Placed,
  type Tokens,
  tokens,
} from '../graft/directive.ts';
export { constantParts, expandOverlay, needsExpansion } from '../graft/expand-overlay.ts';
export { type FieldType, fieldsOf, kindType, METADATA, type Struct, typeAt } from '../graft/field-schema.ts';
export type { Overlay } from '../graft/overlay.ts';
export {
  type OverlayExpression,
  overlayExpressions,
  withoutExpressions,
} from '../graft/overlay-expressions.ts';
export { containsExpression, type Evaluator, expressionResolver } from '../graft/resolve-expressions.ts';
export { scalarProblem } from '../graft/scalar-problem.ts';
export { transferChanges } from '../graft/without-defaults.ts';
export { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
export { copyOf, member, membersBefore, setMember, withMember, withoutMember } from '../json/member.ts';
export { isNestedDeeper } from '../json/nesting.ts';
export { sameJson } from '../json/same-json.ts';
export { tryParseJson } from '../json/try-parse-json.ts';
export { withoutNulls } from '../json/without-nulls.ts';
export { withDefaults } from '../kube/api-defaults.ts';
export type * from '../kube/generated/types.ts';
export {
  annotationsOf,
  asJson,
  type DeepReadonly,
  type KubeObject,
  labelsOf,
  type StringMap,
} from '../kube/kube-object.ts';
export { matchesSelector } from '../kube/label-selector.ts';
export { metadataProblems } from '../kube/metadata-problems.ts';
export { matchesNamePattern } from '../kube/name-pattern.ts';
export { isObjectName } from '../kube/object-name.ts';
export { sharesResource, withoutShared } from '../kube/pod-resources.ts';
export { canonicalQuantity, compareQuantities, exceeds, isLess, isQuantity } from '../kube/quantity.ts';
export { apiVersionOf, builtin, knownResource, type ResourceRef, unknownKind } from '../kube/resource.ts';
export { typeProblem } from '../kube/typed/type-problem.ts';
export { PodgraftError } from '../podgraft-error.ts';
export {
  type AccessCall,
  type Call,
  type CallView,
  NO_CALLS,
  type Reply,
  type ServiceCall,
} from './calls.ts';
export type { ClusterView } from './cluster-view.ts';
export { ConfigError, type ConfigIssue, configFrom, parseConfig } from './config.ts';
export type { FileSource, FileView } from './file-view.ts';
export {
  type Context,
  type DeclaredOverlay,
  defineInjector,
  type Injector,
  type ReadProblem,
  type Remarks,
  type Sample,
  type Validation,
  type Verdict,
} from './injector.ts';
export type { KindRule, Match, Selection } from './match.ts';
export { firstMessages, quoted, shortened } from './message.ts';
export type { ObjectRef, ReadRef } from './reads.ts';
export type { AdmissionOperation, Request } from './request.ts';
export { deny, fault, overlay, skip, target } from './verdict.ts';
