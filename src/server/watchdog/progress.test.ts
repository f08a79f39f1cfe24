import { expect, test } from 'vitest';
import type { Request } from '../../sdk/request.ts';
import { createProgress, readProgress } from './progress.ts';

const injectors = ['stamp', 'mesh'];
const request = (uid: string) => ({ uid }) as Request;

test('the reader sees beats, the uid of the review and the injector under way', () => {
  const { shared, beat, stage, idle } = createProgress(injectors);
  beat();
  expect(readProgress(shared, injectors)).toEqual({ beats: 1 });
  const first = request('705ab4f5-6393-11e8-b7cc-42010a800002');
  stage('stamp', first);
  stage('mesh', first);
  expect(readProgress(shared, injectors)).toEqual({ beats: 1, uid: first.uid, injector: 'mesh' });
  stage('stamp', request('short'));
  expect(readProgress(shared, injectors)).toEqual({ beats: 1, uid: 'short', injector: 'stamp' });
  idle();
  expect(readProgress(shared, injectors)).toEqual({ beats: 1 });
});

test('a uid that is too long is cut', () => {
  const { shared, stage } = createProgress(injectors);
  stage('stamp', request('x'.repeat(1000)));
  expect(readProgress(shared, injectors).uid).toBe('x'.repeat(64));
});
