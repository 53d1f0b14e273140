import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

/** Every JSON document names a schema that comes with the package, and keeps to it. */

const ajv = new Ajv2020({ strict: false, allErrors: true });
const schemas = Object.fromEntries(
  globSync('docs/schemas/*.json').map((file) => {
    const schema = JSON.parse(readFileSync(file, 'utf8'));
    return [schema.$id as string, { name: basename(file, '.json'), validate: ajv.compile(schema) }];
  }),
);

/** What is wrong with a document by the schema that it names. */
function faults(document: { readonly $schema?: string }): unknown[] {
  const schema = schemas[document.$schema ?? ''];
  if (schema === undefined) return [`no schema ${document.$schema}`];
  return schema.validate(document) ? [] : schema.validate.errors!;
}

describe('JSON documents', () => {
  const folder = temporaryFolder();
  writeFileSync(folder.file('rows.csv'), 'prediction,ground_truth\nill,ill\nwell,ill\nwell,well\n');
  afterAll(folder.remove);
  const careful = ['--model', 'simulated/careful', '--limit', '20', '--bootstrap', '50'];
  const SEQUENCE: readonly (readonly [schema: string, ...args: string[]])[] = [
    ['run', 'run', 'ckd/staging', ...careful, '--run', 'a.db'],
    ['run', 'run', 'ckd/staging', ...careful, '--run', 'a.db'],
    [
      'run',
      'run',
      'ckd/staging',
      '--model',
      'simulated/overconfident',
      '--limit',
      '20',
      '--bootstrap',
      '50',
      '--run',
      'b.db',
    ],
    [
      'run',
      ...['run', 'ckd/staging', '--model', 'simulated/careful,simulated/overconfident'],
      ...['--limit', '20', '--bootstrap', '50', '--assert', 'accuracy >= 0.01'],
    ],
    ['score', 'score', 'rows.csv', '--bootstrap', '50'],
    ['run', 'run', 'ckd/staging', '--model', 'simulated/careful', '--limit', '5', '--dry-run'],
    [
      'run',
      'run',
      'open/bcl2',
      '--model',
      'baseline/reference',
      '--judge',
      'baseline/lexical',
      '--run',
      'q.db',
    ],
    ['report', 'report', 'a.db'],
    ['report', 'report', 'q.db'],
    ['comparison', 'compare', 'a.db', 'b.db'],
    ['analysis', 'threshold', 'a.db'],
    ['list', 'list', '.'],
    ['verify', 'runs', 'verify', 'a.db', 'b.db'],
    ['note', 'runs', 'note', 'a.db', '--name', 'first'],
    ['plan', 'plan', '--assert', 'lower(accuracy) >= 0.9', '--expect', '0.93'],
    ['check', 'check'],
    ['check', 'check', 'openai'],
    ['conformance', 'conformance', `${process.cwd()}/conformance/scores.json`],
    ['removed', 'runs', 'rm', 'b.db', '--yes'],
  ];

  it.each(SEQUENCE)('%s: krisis %s %s %s', async (schema, ...args) => {
    const { stdout } = await krisis([...args, '--json'], { cwd: folder.path });
    const document = JSON.parse(stdout);
    expect(schemas[document.$schema]?.name).toBe(schema);
    expect(faults(document)).toEqual([]);
  });

  it('fail where a key is missing, or a value is of another kind', async () => {
    const { stdout } = await krisis(['report', 'a.db', '--json'], { cwd: folder.path });
    const document = JSON.parse(stdout);
    expect(faults({ ...document, ledger: undefined })).not.toEqual([]);
    expect(faults({ ...document, warnings: 'none' })).not.toEqual([]);
    const run = JSON.parse(
      (await krisis(['run', 'ckd/staging', ...careful, '--run', 'a.db', '--json'], { cwd: folder.path }))
        .stdout,
    );
    run.metrics.accuracy.interval.lower = 'low';
    expect(faults(run)).not.toEqual([]);
  });
});
