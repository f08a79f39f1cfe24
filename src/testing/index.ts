/** The entry point `podgraft/testing`: checks the cases and laws of an injector, in any test runner. */
export { filesView } from '../cluster/views/files-view.ts';
export { textFiles } from '../files/text-files.ts';
export { applyPatch } from '../json/apply-patch.ts';
export { createPipeline, type Entry } from '../pipeline/pipeline.ts';
export { requestFor, runManifest } from '../pipeline/run-manifest.ts';
export { runPipeline } from '../pipeline/run-pipeline.ts';
export type { Outcome, Step } from '../pipeline/trace.ts';
export { withApiDefaults } from './api-defaults.ts';
export { type Case, readCases } from './cases.ts';
export { checkCase } from './check-case.ts';
export { checkLaws, type LawSubject } from './laws.ts';
export { checkWaitingLaws, type WaitingSubject } from './waiting-laws.ts';
