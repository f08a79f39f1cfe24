/** The door `podgraft`: all that the author of an injector needs. */
export { absent, force, tokens } from '../graft/directive.ts';
export type { Overlay } from '../graft/overlay.ts';
export { stable } from '../json/stable.ts';
export type * from '../kube/generated/types.ts';
export type { DeepReadonly, KubeObject } from '../kube/kube-object.ts';
export { annotationsOf, labelsOf } from '../kube/kube-object.ts';
export type { ObjectRef, ReadRef, ResourceRef } from '../kube/resource.ts';
export { builtin } from '../kube/resource.ts';
export { PodgraftError } from '../podgraft-error.ts';
export type { ClusterView } from './cluster-view.ts';
export { ConfigError, type ConfigIssue, configFrom } from './config.ts';
export type { FileSource, FileView } from './file-view.ts';
export { type Context, defineInjector, type Injector, type Verdict } from './injector.ts';
export type { Match, Selection } from './match.ts';
export type { AdmissionOperation, Request } from './request.ts';
export { deny, overlay, skip, target } from './verdict.ts';
