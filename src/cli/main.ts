#!/usr/bin/env node
import { CommanderError } from 'commander';
import { PodgraftError } from '../podgraft-error.ts';
import { createProgram } from './program.ts';

/** Exit codes: 0 done; 1 something was denied or could not be read; 2 a wrong call. */
async function main(): Promise<number> {
  try {
    await createProgram().parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof PodgraftError) && !isSystemError(error)) throw error;
    for (const line of error.message.split('\n')) process.stderr.write(`error: ${line}\n`);
    // At once, since part of a server may be listening already.
    process.exit(error.code === 'USAGE' ? 2 : 1);
  }
}

/** A port that is taken, a file that may not be written: its message says all there is to know. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

// Whoever reads, such as `head`, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await main();
