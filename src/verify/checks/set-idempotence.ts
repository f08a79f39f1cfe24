import type { Check } from '../check.ts';
import { secondPass } from './second-pass.ts';

export const setIdempotence: Check = {
  id: 'set-idempotence',
  title: 'a second pass of all webhooks changes nothing',
  why: 'Webhooks that are idempotent alone may not be so together: one reacts to what the other adds.',
  fix: 'Find the two webhooks that write the same place, and leave the place to one of them.',
  scope: 'set',
  objects: 'all',
  examine: (subjects, object, session) => secondPass(subjects, object, session, 'their own result'),
};
