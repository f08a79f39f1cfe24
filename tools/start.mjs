// `npm start`: opens the playground, in the browser if there is a desktop.
import { fileURLToPath, pathToFileURL } from 'node:url';

const main = `${process.env.PODGRAFT_DIST ?? fileURLToPath(new URL('../dist', import.meta.url))}/cli/main.js`;
const hasDesktop =
  process.platform === 'darwin' ||
  process.platform === 'win32' ||
  Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const open = hasDesktop && process.stdout.isTTY && !process.env.CI ? ['--open'] : [];
// In this process, so that it receives the signals.
process.argv = [process.execPath, main, 'playground', ...open, ...process.argv.slice(2)];
await import(pathToFileURL(main));
