import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** `npm run check`: scripts of package.json in two lines at the same time, since each of them uses one core. Prints what a script said when it ends, and exits with 1 if one failed. */
const LINES = [
  ['types', 'lint', 'knip'],
  ['types:build', 'types:web', 'rooms'],
];

async function passes(script: string): Promise<boolean> {
  const child = spawn('npm', ['run', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = await once(child, 'close');
  process.stdout.write(said);
  return code === 0;
}

await Promise.all(
  LINES.map(async (scripts) => {
    for (const script of scripts) if (!(await passes(script))) process.exitCode = 1;
  }),
);
