import { type CelCompileError, compileMessages } from '../cel/compile-error.ts';

/** What is wrong with an expression outside of policies, where `authorizer` does not exist. */
export function messagesElsewhere(error: CelCompileError): readonly string[] {
  return compileMessages(error).map((message) =>
    message.includes("reference to 'authorizer'")
      ? `${message}: it is available in admission policies only`
      : message,
  );
}
