import type { Random } from './random.ts';

/** Noise, or a review with a few bytes changed, removed or repeated. */
export function randomBytes(random: Random, review: string): Buffer {
  if (random.chance(0.3)) return Buffer.from(random.list(200, () => random.int(256)));
  let body = Buffer.from(review);
  for (let change = random.int(4); change >= 0; change--) {
    const at = random.int(body.length + 1);
    const kind = random.int(4);
    if (kind === 0) body = body.subarray(0, at);
    else if (kind === 1) body = Buffer.concat([body.subarray(0, at), body.subarray(at + 1 + random.int(20))]);
    else if (kind === 2)
      body = Buffer.concat([body.subarray(0, at), body.subarray(Math.max(0, at - random.int(50)))]);
    else if (at < body.length) {
      body = Buffer.from(body);
      body[at] = random.pick([random.int(256), ...Buffer.from('[]{}",:0-nu\\')]);
    }
  }
  return body;
}
