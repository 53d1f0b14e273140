import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { report } from './fixture.ts';
import { BIN, measured, NODE_FLAGS } from './measured-process.ts';

/** Peak resident memory of `krisis check`, and of a run with a limit, on a table of 100 MB with 900,000 rows. */
const N = 900_000;
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
const command = [...NODE_FLAGS, BIN];
try {
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, 'large.csv')));
  writeFileSync(
    join(folder, 'suite.yaml'),
    'name: own/large\nfile: large.csv\nid: study_id\nlabel: diagnosis\ngroups: [site]\ninstructions: Classify.\n',
  );
  const checked = await measured([...command, 'check', 'suite.yaml'], folder);
  const run = ['run', 'suite.yaml', '--model', 'baseline/random', '--limit', '50', '--run', 'a.db'];
  const asked = await measured([...command, ...run], folder);
  const text = ({ megabytes, seconds }: typeof asked) =>
    `${megabytes.toFixed(0)} MB, ${seconds.toFixed(0)} s`;
  console.log(`check: ${text(checked)}; run --limit 50: ${text(asked)}`);
  report('peak memory of check, 900,000 rows / 500 MB', checked.megabytes / 500, 1);
  report('peak memory of a run of 50 of them / 700 MB', asked.megabytes / 700, 1);
} finally {
  rmSync(folder, { recursive: true });
}

function* lines(): Generator<string> {
  yield 'study_id,age,sex,sodium,potassium,creatinine,glucose,osmolality,site,note,admitted,diagnosis\n';
  for (let i = 0; i < N; i++) {
    const sodium = 120 + ((i * 7919) % 400) / 10;
    const numbers = [sodium, 2.5 + (i % 41) / 10, 0.4 + (i % 53) / 10, 3 + (i % 211) / 10].map((x) =>
      x.toFixed(2),
    );
    const note = `"dizzy, ward ${(i * 31) % 999_983}, bed ${i % 40}, no complaints"`;
    const diagnosis = sodium < 135 ? 'hyponatraemia' : sodium > 145 ? 'hypernatraemia' : 'normal';
    yield `S${i},${18 + (i % 80)},${i % 2 ? 'f' : 'm'},${numbers.join(',')},${260 + (i % 60)},site-${i % 9},${note},2024-0${1 + (i % 9)}-1${i % 10},${diagnosis}\n`;
  }
}
