/** The door `podgraft/testing`: run an injector's cases, and the laws on it, from any test runner. */
export { filesView } from '../cluster/files-view.ts';
export { textFiles } from '../cluster/text-files.ts';
export { applyPatch } from '../json/apply-patch.ts';
export { withApiDefaults } from '../kube/api-defaults.ts';
export { createPipeline, type Entry } from '../pipeline/pipeline.ts';
export { runPipeline } from '../pipeline/run.ts';
export { requestFor, runManifest } from '../pipeline/run-manifest.ts';
export type { Outcome, Step } from '../pipeline/trace.ts';
export { type Case, readCases } from './cases.ts';
export { checkCase } from './check-case.ts';
export { checkLaws, type LawSubject } from './laws.ts';
