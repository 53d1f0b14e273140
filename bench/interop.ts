import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { zip } from '../test/zip.ts';
import { BIN, measured, NODE_FLAGS } from './measured-process.ts';

/**
 * `node bench/interop.ts [-- --small]`: files of other tools of 200 MB, generated; `--small` is a tenth. An `.eval` is compared with inflating and parsing its members in the same minute, so
 * the ratio holds on a busy machine; a `.json` is bounded in memory.
 */
const MEGABYTES = process.argv.includes('--small') ? 20 : 200;
const ROUNDS = 3;
const SAMPLE_BYTES = 40_000;
const MAX_RATIO = 2;
const MAX_MEGABYTES = 300;

const EVAL = { task: 'bench', model: 'lab/model', created: '2026-01-01', dataset: { name: 'bench' } };
const HEADER = { version: 2, status: 'success', eval: EVAL };

const folder = mkdtempSync(join(tmpdir(), 'krisis-interop-'));
const command = [...NODE_FLAGS, BIN];

try {
  const n = Math.round((MEGABYTES * 1e6) / SAMPLE_BYTES);
  console.log('| measure | now | must | |\n|---|---|---|---|');
  await measureArchive(n);
  await measureJson(n);
  console.log(`load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
} finally {
  rmSync(folder, { recursive: true });
}

/** A sample with a long conversation, as a log of Inspect has it. */
function sample(i: number): object {
  const word = (w: number) => `finding ${(i * 31 + w * 17) % 9973} of "case" ${w}\n`;
  const text = Array.from({ length: SAMPLE_BYTES / 30 }, (_, w) => word(w)).join('');
  const target = 'ABCD'[i % 4]!;
  const answer = i % 3 === 0 ? 'A' : target;
  return {
    id: i,
    epoch: 1,
    input: `question ${i}`,
    choices: ['a', 'b', 'c', 'd'],
    target,
    messages: [{ role: 'user', content: text }],
    output: { choices: [{ message: { role: 'assistant', content: answer } }] },
    scores: { choice: { value: answer === target ? 'C' : 'I', answer } },
  };
}

async function measureArchive(n: number): Promise<void> {
  const path = join(folder, 'log.eval');
  const members = Array.from(
    { length: n },
    (_, i) => [`samples/${i}_epoch_1.json`, JSON.stringify(sample(i))] as const,
  );
  writeFileSync(path, zip([['header.json', JSON.stringify(HEADER)], ...members]));
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const least = inflateAndParse(path);
    const { seconds, stdout } = await measured([...command, 'score', path, '--json'], folder);
    if (JSON.parse(stdout).n !== n) throw new Error(`${JSON.parse(stdout).n} of ${n} rows were scored`);
    ratios.push(seconds / least);
  }
  line(`score of an .eval of ${MEGABYTES} MB / inflating and parsing`, Math.min(...ratios), MAX_RATIO, 'x');
}

/** The seconds of a process that inflates and parses each member, and does nothing else. */
function inflateAndParse(path: string): number {
  const program = `
    const { readFileSync } = require('node:fs');
    const { inflateRawSync } = require('node:zlib');
    const bytes = readFileSync(${JSON.stringify(path)});
    let at = 0;
    while (bytes.readUInt32LE(at) === 0x04034b50) {
      const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
      at = start + bytes.readUInt32LE(at + 18);
      JSON.parse(inflateRawSync(bytes.subarray(start, at)).toString());
    }`;
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return (performance.now() - started) / 1000;
}

async function measureJson(n: number): Promise<void> {
  const path = join(folder, 'log.json');
  const stream = createWriteStream(path);
  stream.write(`${JSON.stringify(HEADER).slice(0, -1)},"samples":[`);
  for (let i = 0; i < n; i++)
    if (!stream.write(`${i > 0 ? ',' : ''}${JSON.stringify(sample(i))}`)) await once(stream, 'drain');
  stream.end(']}');
  await once(stream, 'finish');
  const { megabytes, stdout } = await measured([...command, 'score', path, '--json'], folder);
  if (JSON.parse(stdout).n !== n) throw new Error(`${JSON.parse(stdout).n} of ${n} rows were scored`);
  line(`peak memory of the score of a .json of ${MEGABYTES} MB`, megabytes, MAX_MEGABYTES, 'MB');
}

function line(what: string, value: number, must: number, unit: string): void {
  const verdict = value <= must ? 'met' : 'NOT MET';
  console.log(`| ${what} | ${value.toFixed(unit === 'MB' ? 0 : 2)} ${unit} | ${must} | ${verdict} |`);
  if (value > must) process.exitCode = 1;
}
