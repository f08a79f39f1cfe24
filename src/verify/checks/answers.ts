import type { Check } from '../check.ts';

export const answers: Check = {
  id: 'answers',
  title: 'answers are what the API server expects',
  why: 'An answer with a wrong uid, version, patchType or code counts as a failed call: the request fails, or the webhook is skipped.',
  fix: 'Copy `request.uid` and the apiVersion of the review, send `patchType: JSONPatch` with a patch, and a code between 400 and 599 with a denial.',
  scope: 'each',
  objects: 'all',
  async examine(subjects, object, session) {
    const outcome = await session.admit(subjects, session.requestFor(subjects, object));
    for (const step of outcome.trace) {
      if (step.type !== 'webhook' || step.call === undefined) continue;
      const { result } = step;
      if (result.outcome === 'failed open') return { message: withoutUrl(result.error) };
      if (result.outcome !== 'rejected' || (step.call.patch ?? []).length > 0) continue;
      const { code, message } = result.status;
      if (message.includes('failed calling webhook')) return { message: withoutUrl(message) };
      if (message.endsWith('without explanation')) return { message: 'denies without an explanation' };
      if (code < 400 || code > 599) return { message: `denies with the code ${code}` };
    }
    return undefined;
  },
};

/** The same message for every address and port. */
function withoutUrl(text: string): string {
  return text.replace(/^Internal error occurred: /, '').replace(/Post "[^"]*": /, '');
}
