import { spawn } from 'node:child_process';

/** Ignores a missing browser: the printed address is enough. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  spawn(command!, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
