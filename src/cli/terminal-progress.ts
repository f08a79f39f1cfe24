import type { Progress } from '../verify/run-verify.ts';

/** One line that is written over and over, and is gone at the end. */
export function terminalProgress(stream: NodeJS.WriteStream): (progress: Progress) => void {
  const clear = '\r\u001b[K';
  process.once('exit', () => stream.write(clear));
  return ({ done, total, check, subject }) => {
    const text = `${done + 1}/${total}  ${check}  ${subject}`;
    stream.write(clear + text.slice(0, (stream.columns ?? 80) - 1));
  };
}
