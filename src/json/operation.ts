import type { Json } from './json.ts';
import type { Pointer } from './pointer.ts';

/**
 * The RFC 6902 operations that patches use. No `test`: the API server compares raw text, and JSON.stringify's `&` never
 * equals Go's `\u0026`. No `copy`: nothing needs it.
 */
export type Operation =
  | { readonly op: 'add'; readonly path: Pointer; readonly value: Json }
  | { readonly op: 'replace'; readonly path: Pointer; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move'; readonly path: Pointer; readonly from: Pointer };

export type Patch = readonly Operation[];
