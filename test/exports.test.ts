import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { run } from '../src/engine/run.ts';
import { recordsOf, response, scriptedBackend, suiteOf, temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const cwd = folder.path;
const isRoot = process.getuid?.() === 0;
const words = (line: string) => line.split(' ');
const command = (line: string) => krisis(words(line), { cwd });
const written = (name: string) => readFileSync(join(cwd, name), 'utf8');

/** A command that has to succeed; what it printed. */
async function done(line: string): Promise<string> {
  const { code, stdout, stderr } = await command(line);
  expect([code, code === 0 ? '' : stderr], line).toEqual([0, '']);
  return stdout;
}

/** The files below a folder. */
const filesIn = (name: string) =>
  readdirSync(join(cwd, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(cwd, name).length + 1))
    .sort();

const MESSY = 'simulated/careful?flaky=0.1&invalid=0.1&refusal=0.1&latency_ms=0';

beforeAll(async () => {
  await done('run ckd/staging --model simulated/careful --limit 60 --bootstrap 200 --run run.db');
  await done('run ckd/staging --model simulated/overconfident --limit 60 --bootstrap 200 --run over.db');
  await command(
    `run ckd/detection --model ${MESSY} --limit 80 --repeat 2 --batch-size 4 --bootstrap 200 --run messy.db`,
  );
  await done('run open/clinical --model baseline/reference --judge baseline/lexical --run open.db');
});

const TASKS = {
  'run.db': '--task staging --labels 1,2,3,4,5',
  'messy.db': '--task detection --positive-label present',
} as const;

/** What a round trip must not change. */
function numbersOf({
  metrics,
  subgroups,
  ledger,
}: {
  readonly metrics: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly subgroups: unknown;
  readonly ledger: Readonly<Record<string, number>>;
}) {
  const scores = Object.entries(metrics).map(
    ([name, { value, interval, bounds, n_evaluated, n_successes = null }]) => [
      name,
      { value, interval, bounds, n_evaluated, n_successes },
    ],
  );
  return { scores: Object.fromEntries(scores), subgroups, ledger };
}

const score = async (file: string, task: string) =>
  numbersOf(JSON.parse(await done(`score ${file} ${task} --bootstrap 200 --group-by sex,age --json`)));

describe('rows that were exported', () => {
  const aggregates = (name: string) =>
    filesIn(name).flatMap((file) => (file.endsWith('.json') ? [`${name}/${file}`] : []));

  it.each(Object.entries(TASKS))(
    'of %s score the same as CSV, as Parquet and as Every Eval Ever',
    async (file, task) => {
      const wanted = numbersOf(
        JSON.parse(await done(`report ${file} --format metrics-json --group-by sex,age`)),
      );
      const name = file.replace('.db', '');
      await done(`report ${file} --group-by sex,age -o ${name}.csv`);
      await done(`report ${file} --group-by sex,age -o ${name}.parquet`);
      await done(`report ${file} --format every-eval-ever -o eee-${name}`);
      expect(wanted.ledger.n).toBe(file === 'run.db' ? 60 : 160);
      expect(await score(`${name}.csv`, task)).toEqual(wanted);
      expect(await score(`${name}.parquet`, task)).toEqual(wanted);
      expect(await score(aggregates(`eee-${name}`)[0]!, task)).toEqual(wanted);
    },
  );

  it('keep the key of their clusters, and text that looks like a formula', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const truth = i % 3 === 0 ? "'=yes" : 'NA';
      return `${i},${i % 7 === 0 ? 'NA' : truth},${truth},clinic ${i % 12}`;
    });
    writeFileSync(join(cwd, 'clinics.csv'), ['id,prediction,ground_truth,clinic', ...rows].join('\n'));
    const columns = '--columns prediction=prediction --cluster clinic --bootstrap 200';
    writeFileSync(
      join(cwd, 'clinics.jsonl'),
      rows
        .map((row) => row.split(','))
        .map(([id, prediction, ground_truth, clinic]) =>
          JSON.stringify({ id, prediction, ground_truth, abstained: false, metadata: { clinic } }),
        )
        .join('\n'),
    );
    await done(`score clinics.jsonl ${columns} --save --run clinics.db`);
    const wanted = numbersOf(JSON.parse(await done('report clinics.db --format metrics-json')));
    expect(wanted.scores.accuracy).toMatchObject({ interval: { unit: 'cluster' } });
    for (const format of ['csv', 'parquet']) {
      await done(`report clinics.db -o clinics-out.${format}`);
      const again = numbersOf(
        JSON.parse(await done(`score clinics-out.${format} --cluster clinic --bootstrap 200 --json`)),
      );
      expect(again, format).toEqual(wanted);
    }
  });

  it('are typed in Parquet, and say the same as the CSV', async () => {
    await done('report run.db --format metrics-parquet --group-by sex -o metrics.parquet --force');
    const read = async (name: string) =>
      parquetReadObjects({ file: Uint8Array.from(readFileSync(join(cwd, name))).buffer });
    const metrics = await read('metrics.parquet');
    const lines = parse(await done('report run.db --format metrics-csv --group-by sex'), { columns: true });
    expect(metrics.map((line) => Object.values(line).map((value) => String(value ?? '')))).toEqual(
      (lines as object[]).map((line) => Object.values(line)),
    );
    expect(metrics.find(({ group }) => group === 'female')).toMatchObject({ n: expect.any(Number) });
    const [row] = await read('run.parquet');
    expect(row).toMatchObject({ abstained: expect.any(Boolean), confidence: expect.any(Number) });
  });
});

/** What is wrong with values by a schema: nothing where the list is empty. */
function checker(schema: string): (value: unknown) => readonly unknown[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

interface Result {
  readonly metric_config: Readonly<Record<string, unknown>> & { readonly llm_scoring?: object };
  readonly score_details: object;
}

/** The aggregate and the samples of a run. */
async function everyEvalEver(run: string, into: string) {
  await done(`report ${run} --format every-eval-ever -o ${into}`);
  const files = filesIn(into);
  const aggregate = JSON.parse(written(`${into}/${files.find((file) => file.endsWith('.json'))}`));
  const samples = files
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => written(`${into}/${file}`).trimEnd().split('\n'))
    .map((line) => JSON.parse(line));
  return { files, aggregate, samples };
}

const SHARED = '../shared/data/interop';
const SCHEMAS: readonly (readonly [where: string, folder: string, names: readonly [string, string]])[] = [
  ['the kept schemas', 'test/schemas', ['every-eval-ever-aggregate.json', 'every-eval-ever-samples.json']],
  [
    'the published schemas',
    SHARED,
    ['every_eval_ever_aggregate.schema.json', 'every_eval_ever_samples.schema.json'],
  ],
];

describe('Every Eval Ever', () => {
  it.for(SCHEMAS)(
    'is valid by %s (skipped where they are absent)',
    async ([where, from, names], { skip }) => {
      if (!existsSync(from)) skip();
      const [aggregateProblems, sampleProblems] = names.map((name) => checker(resolve(from, name))) as [
        ReturnType<typeof checker>,
        ReturnType<typeof checker>,
      ];
      for (const file of ['run.db', 'messy.db', 'open.db']) {
        const { aggregate, samples } = await everyEvalEver(file, `valid-${where.length}-${file}`);
        expect(aggregateProblems(aggregate)).toEqual([]);
        for (const sample of samples) expect(sampleProblems(sample)).toEqual([]);
        expect(samples).toHaveLength({ 'run.db': 60, 'messy.db': 160, 'open.db': 0 }[file]!);
        // A schema that accepts anything would prove nothing.
        expect(aggregateProblems({ ...aggregate, model_info: {} })).not.toEqual([]);
        if (samples.length > 0) expect(sampleProblems({ ...samples[0], metadata: { n: 1 } })).not.toEqual([]);
      }
    },
  );

  it('has our interval, direction and checksum', async () => {
    const { aggregate, files } = await everyEvalEver('run.db', 'facts');
    const metrics = JSON.parse(await done('report run.db --format metrics-json')).metrics;
    const found = aggregate.evaluation_results.find(
      ({ metric_config }: Result) => metric_config.metric_id === 'krisis.wrong_answer_rate',
    );
    const { value, interval, n_evaluated } = metrics.wrong_answer_rate;
    expect(found.metric_config).toMatchObject({ lower_is_better: true, metric_unit: 'proportion' });
    expect(found.score_details).toMatchObject({
      score: value,
      uncertainty: {
        confidence_interval: {
          lower: interval.lower,
          upper: interval.upper,
          confidence_level: 0.95,
          method: interval.method,
        },
        num_samples: n_evaluated,
      },
    });
    const { file_path: path, total_rows: total } = aggregate.detailed_evaluation_results;
    expect([files.includes(path), total]).toEqual([true, 60]);
    expect(aggregate.model_info.additional_details.simulated).toContain('made up');
  });

  it('names the judge of open questions', async () => {
    const { aggregate } = await everyEvalEver('open.db', 'judge');
    const judged = aggregate.evaluation_results.filter(
      ({ metric_config }: Result) => metric_config.llm_scoring,
    );
    expect(judged.length).toBeGreaterThan(3);
    expect(judged[0].metric_config.llm_scoring).toMatchObject({
      judges: [{ model_info: { id: 'baseline/lexical' } }],
      input_prompt: expect.stringContaining('SHA-256'),
      additional_details: { status: 'not_calibrated' },
    });
  });
});

const SECRET = 'nurse in her sixties';

/** A protected run whose records and replies hold a text that must not get out. */
async function protectedRun(path: string): Promise<void> {
  const backend = scriptedBackend(({ ids }) => [...ids].map(() => response({ rawResponse: SECRET })));
  const records = recordsOf('abcd').map((record) => ({ ...record, features: { note: SECRET } }));
  await run({ suite: suiteOf(records, { sensitivity: 'protected' }), backend, path });
}

describe('protected runs', () => {
  const FORMATS = [
    'csv',
    'parquet',
    'metrics-csv',
    'metrics-parquet',
    'latex',
    'chai-card',
    'chart-checklist',
  ];

  it('give nothing away in any format, and only their owner may read the files', async () => {
    await protectedRun(join(cwd, 'private.db'));
    mkdirSync(join(cwd, 'out'), { recursive: true });
    for (const format of FORMATS) await done(`report private.db --format ${format} -o out/${format}`);
    await done('report private.db --format svg -o out/figures');
    await done('report private.db --format every-eval-ever -o out/eee');
    const files = filesIn('out');
    expect(files.length).toBeGreaterThan(FORMATS.length + 3);
    for (const file of files) {
      expect(written(`out/${file}`), file).not.toContain(SECRET);
      if (process.platform !== 'win32') expect(statSync(join(cwd, 'out', file)).mode & 0o077, file).toBe(0);
    }
    expect(files.filter((file) => file.startsWith('eee/'))).toEqual([expect.stringMatching(/\.json$/)]);
    expect(JSON.stringify(filesIn('out/eee').map((file) => written(`out/eee/${file}`)))).not.toContain(
      'prompt_template"',
    );
  });
});

describe('figures', () => {
  it('are SVG files of their own, and PNG files', async () => {
    await done('report run.db --format svg --group-by sex -o figures');
    const names = filesIn('figures');
    expect(names).toEqual(
      expect.arrayContaining([
        'confusion.svg',
        'flow.svg',
        'harms.svg',
        'reliability.svg',
        'risk-coverage.svg',
      ]),
    );
    for (const name of names) {
      const text = written(`figures/${name}`);
      expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /);
      // Nothing of a page that is not there.
      expect(text).not.toMatch(/var\(|currentColor|&nbsp;/);
      expect(
        (await validateXML({ xml: [{ fileName: name, contents: text }], extension: 'schema', schema: ANY }))
          .errors,
        name,
      ).toEqual([]);
    }
    await done('report run.db --figure reliability -o reliability.png');
    expect([...readFileSync(join(cwd, 'reliability.png')).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    await done('report run.db --figure reliability -o one.svg');
    expect(written('one.svg')).toBe(await done('report run.db --figure reliability --format svg'));
  });

  it('of a comparison show differences and harms', async () => {
    await done('compare run.db over.db --format svg -o compared');
    expect(filesIn('compared')).toEqual(
      expect.arrayContaining(['differences.svg', 'harms-missed-emergency-rate.svg', 'reliability.svg']),
    );
    expect(written('compared/differences.svg')).toContain('simulated/overconfident minus simulated/careful');
  });

  it.each([
    [
      'report run.db --figure nope -o x.svg',
      /no figure nope of this result; its figures are board, flow, harms,/,
    ],
    ['report run.db -o x.svg', /x\.svg: which figure\? Add --figure NAME .* --format svg -o FOLDER/],
    ['report run.db --format png', /--format png writes several files: .* -o FOLDER/],
    ['report run.db --figure flow -o x.md', /--figure flow: a report as md has no single figures/],
    ['report open.db --format svg -o x', /there is no figure of this result/],
    [
      'report run.db --format svg -o run.csv',
      /run\.csv: is a file; this format is several files: name a folder/,
    ],
    ['report run.db --format every-eval-ever -o figures', /figures: is not empty; .* --force/],
    [
      'report run.db --format every-eval-ever -o no/such/folder',
      /there is no folder no\/such; create it first/,
    ],
    ['compare run.db over.db --format every-eval-ever -o x', /every-eval-ever/],
  ])('%s ends with one message, and writes nothing', async (line, message) => {
    const before = filesIn('.');
    const { code, stdout, stderr } = await command(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(filesIn('.')).toEqual(before);
  });

  it.skipIf(isRoot || process.platform === 'win32')(
    'are not written to a folder that is read-only',
    async () => {
      mkdirSync(join(cwd, 'read-only'));
      chmodSync(join(cwd, 'read-only'), 0o555);
      const { code, stderr } = await command('report run.db --format svg -o read-only/figures');
      expect([code, stderr]).toEqual([2, expect.stringContaining('read-only/figures: cannot be written')]);
    },
  );

  it('replace their own files in a folder with --force, and leave others', async () => {
    writeFileSync(join(cwd, 'figures', 'notes.txt'), 'mine');
    writeFileSync(join(cwd, 'figures', 'flow.svg'), 'old');
    await done('report run.db --format svg -o figures --force');
    expect([written('figures/notes.txt'), written('figures/flow.svg').slice(0, 4)]).toEqual(['mine', '<svg']);
  });
});

describe('comparisons', () => {
  it('are tables of LaTeX and CSV, by name or extension', async () => {
    await done('compare run.db over.db -o table.tex');
    const latex = written('table.tex');
    expect(latex).toContain('simulated/overconfident minus simulated/careful & Unsafe Decisions & ');
    expect(latex.match(/\\midrule/g)).toHaveLength(2);
    await done('compare run.db over.db -o table.csv');
    const lines = parse(await done('compare run.db over.db --format csv'), { columns: true }) as Record<
      string,
      string
    >[];
    expect(parse(written('table.csv'), { columns: true })).toEqual(lines);
    const { comparisons } = JSON.parse(await done('compare run.db over.db --json'));
    const endpoint = comparisons[0].endpoints.decision_accuracy;
    const line = lines.find(({ metric, against }) => metric === 'decision_accuracy' && against !== '')!;
    expect([line.value, line.lower, line.p, line.p_holm].map(Number)).toEqual([
      endpoint.difference,
      endpoint.interval.lower,
      endpoint.p,
      endpoint.p_holm,
    ]);
  });
});

/** A schema that any document is valid by: the check is that it is well-formed. */
const ANY = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
<xs:element name="svg"><xs:complexType><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType></xs:element></xs:schema>`;

describe('cards and checklists', () => {
  const validity = (contents: string) =>
    validateXML({
      xml: [{ fileName: 'card.xml', contents }],
      schema: readFileSync('test/schemas/chai-applied-model-card-0.2.xsd', 'utf8'),
    });

  it.each(['run.db --group-by sex', 'messy.db', 'open.db'])('the CHAI card of %s is valid', async (run) => {
    const card = await done(`report ${run} --format chai-card`);
    expect((await validity(card)).errors).toEqual([]);
    expect(card).toContain('To be written by the author: who develops the solution');
    expect((await validity(card.replace(/<Results>.*?<\/Results>/s, ''))).valid).toBe(false);
  });

  it('the CHAI card has the numbers of the run, and says what nobody measured', async () => {
    const card = await done('report run.db --format chai-card');
    const { missed_emergency_rate: missed } = JSON.parse(
      await done('report run.db --format metrics-json'),
    ).metrics;
    expect(card).toContain(`&quot;estimate&quot;:${missed.value},&quot;lower&quot;:${missed.interval.lower}`);
    expect(card).toContain('The model is simulated');
    expect(card).toContain('no groups were compared');
  });

  it.each(['run.db', 'open.db'])(
    'the CHART checklist of %s says what is left to the authors',
    async (run) => {
      const text = await done(`report ${run} --format chart-checklist`);
      expect(text).toContain('| 12b | Funding | - | all of it |');
      expect(text).toMatch(/\| 3a, 3b \| Which model \| (simulated\/careful|baseline\/reference)/);
    },
  );
});
