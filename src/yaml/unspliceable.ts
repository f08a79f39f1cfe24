/** Text that cannot be edited in place. Never leaves this folder: `spliceYaml` takes the next best way. */
export class Unspliceable extends Error {
  override readonly name = 'Unspliceable';
}
