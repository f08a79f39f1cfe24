export function awsProgram(): Promise<string>;
