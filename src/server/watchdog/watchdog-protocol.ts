import type { PageReply } from '../../page/page-reply.ts';
import type { TextReply } from '../http-replies.ts';

/** What the watchdog's thread starts with. */
export interface WatchdogData {
  readonly shared: SharedArrayBuffer;
  readonly injectors: readonly string[];
  /** 0 if a blocked process is not to be ended. */
  readonly blockedMs: number;
  /** Absent if another process answers on the metrics port. */
  readonly monitoring?: {
    readonly port: number;
    readonly host?: string;
    /** Whether the port also has the page. */
    readonly hasPage: boolean;
  };
}

/** From the thread: it has started, failed, or forwards a request of the metrics port. */
export type FromWatchdog =
  | { readonly started: { readonly metricsPort?: number } }
  | { readonly failed: SystemError }
  | { readonly requestId: number; readonly method: string | undefined; readonly path: string }
  | { readonly pageRequestId: number; readonly method: string | undefined; readonly path: string };

/** To the thread: replies to its requests, an event for all open pages, or the injectors of another configuration. */
export type ToWatchdog =
  | { readonly requestId: number; readonly reply: TextReply }
  | { readonly pageRequestId: number; readonly reply: PageReply }
  | { readonly event: string }
  | { readonly injectors: readonly string[] };

/** The fields of an operating system's error, such as a port in use, which do not survive between threads. */
export interface SystemError {
  readonly message: string;
  readonly code: string | undefined;
  readonly syscall: string | undefined;
}

/** EX_SOFTWARE of sysexits.h: an exit code that nothing else in podgraft or Node uses. */
export const BLOCKED_EXIT_CODE = 70;
