import type { Check } from '../check.ts';
import { secondPass } from './second-pass.ts';

export const idempotence: Check = {
  id: 'idempotence',
  title: 'a second call changes nothing',
  why: 'The API server calls a webhook again after others have changed the object, and again on every later request. What is added each time piles up.',
  fix: 'Look for your own change before you make it: by the name of the container, the key of the label.',
  scope: 'mutating',
  objects: 'all',
  examine: (subjects, object, session) => secondPass(subjects, object, session, 'its own result'),
};
