/** An error that an expression can end in. The message is the text that the API server shows. */
export class CelError extends Error {
  override readonly name: string = 'CelError';
}
