/**
 * Hands on together what came in during one turn of the event loop, at most `most` at a time. One that comes alone waits for
 * nothing: the turn is over as soon as no other socket has anything to read.
 */
export function inBatches<T>(most: number, handle: (batch: readonly T[]) => void): (item: T) => void {
  let waiting: T[] = [];
  const handOn = () => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += most) handle(all.slice(start, start + most));
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(handOn);
  };
}
