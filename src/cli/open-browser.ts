import { spawn } from 'node:child_process';

/** Opens an address in the desktop's browser. Does nothing without one: the address has been printed. */
export function openBrowser(url: string): void {
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

const COMMANDS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  // `start` treats its first quoted argument as a window title.
  win32: ['cmd', '/c', 'start', ''],
};
