#!/usr/bin/env node
import { CommanderError } from 'commander';
import { PodgraftError } from '../podgraft-error.ts';
import { createProgram } from './program.ts';

/** Returns the exit code: 0 success, 1 an object was denied or could not be read, 2 invalid usage. */
async function main(): Promise<number> {
  try {
    await createProgram().parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof PodgraftError) && !isSystemError(error)) throw error;
    for (const line of error.message.split('\n')) process.stderr.write(`error: ${line}\n`);
    // Not just the exit code: part of a server may already be listening.
    process.exit(error.code === 'USAGE' ? 2 : 1);
  }
}

/** Such as a port in use: its message is enough, without a stack trace. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

// The reader of the output, such as `head`, has closed the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await main();
