/** An error that an expression can end in. The message is the text that the API server shows. */
export class CelError extends Error {
  override readonly name: string = 'CelError';

  constructor(message: string) {
    // Expressions may fail thousands of times in a loop, and a stack trace into the engine would be useless.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
