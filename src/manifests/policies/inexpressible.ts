/** Part of an injector that a policy cannot express. The message is the reason. */
export class Inexpressible extends Error {}
