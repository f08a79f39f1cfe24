import { printing } from './cases-printing.mjs';
import { sprig } from './cases-sprig.mjs';
import { syntax } from './cases-syntax.mjs';
import { generated } from './generate.mjs';

/** Groups of [template, data]; each group is one file of expected outputs. */
export const groups = { syntax, printing, sprig, generated: generated() };
