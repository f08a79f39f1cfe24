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
    if (!(error instanceof PodgraftError)) throw error;
    for (const line of error.message.split('\n')) process.stderr.write(`error: ${line}\n`);
    return error.code === 'USAGE' ? 2 : 1;
  }
}

process.exitCode = await main();
