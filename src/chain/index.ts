/** `podgraft/chain`: the admission phase of the Kubernetes API server as a library. */
export type { AccessCheck, AccessDecision, Authorize } from '../cel/values/authorizer-values.ts';
export { admit, type ChainOptions } from './admit.ts';
export { callOverHttps } from './call-over-https.ts';
export type { CalledWebhook, CallWebhook } from './call-webhook.ts';
export { WebhookClientError } from './call-webhook.ts';
export { configurationProblems } from './configuration-problems.ts';
export type * from './outcome.ts';
export type { WebhookAnswer } from './read-answer.ts';
export type { ChainRequest } from './request.ts';
