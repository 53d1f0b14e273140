import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, report } from './fixture.ts';

/** `krisis score` on a million rows, as JSONL and as one JSON array: peak resident memory of the whole process. */
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
try {
  for (const kind of ['jsonl', 'json'] as const) {
    const file = join(folder, `answers.${kind}`);
    await write(file, kind);
    const args = [
      'bench/peak-memory.ts',
      'score',
      file,
      '--task',
      'detection',
      '--positive-label',
      'present',
      '--json',
    ];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(stderr);
    const peak = Number(/peak (\d+)/.exec(stderr)![1]) / 1024;
    const { n, metrics } = JSON.parse(stdout);
    console.log(`${kind}: n ${n}, accuracy ${metrics.accuracy.value.toFixed(4)}`);
    report(`${kind}: peak memory / 500 MB`, peak / 500, 1);
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function write(file: string, kind: 'jsonl' | 'json'): Promise<void> {
  const stream = createWriteStream(file);
  let lines: string[] = kind === 'json' ? ['['] : [];
  let first = true;
  for (const row of answers(1_000_000, 'stated')) {
    lines.push(`${kind === 'json' && !first ? ',' : ''}${JSON.stringify(row)}`);
    first = false;
    if (lines.length < 10_000) continue;
    if (!stream.write(`${lines.join('\n')}\n`)) await once(stream, 'drain');
    lines = [];
  }
  stream.end(kind === 'json' ? `${lines.join('\n')}]\n` : lines.join('\n'));
  await once(stream, 'finish');
}
