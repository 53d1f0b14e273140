import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import type { Label } from '../../core/label.ts';
import { counted } from '../../core/wording.ts';
import { parseJson, streamJson, utf8Text } from '../json-text.ts';
import { ZipFile } from '../zip.ts';
import {
  checked,
  chooseScorer,
  type FormatAccount,
  type FormatOptions,
  formatError,
  letters,
  plainValues,
  type ResultFormat,
  type SourceRow,
} from './format.ts';
import { INSPECT_SAMPLE, INSPECT_START, type Source } from './source.ts';

const header = z.looseObject({
  version: z.literal(2, { error: 'is not 2; expected version 2 of an Inspect log' }),
  status: z.string().nullish(),
  eval: z.looseObject({
    task: z.string(),
    model: z.string(),
    dataset: z.looseObject({ name: z.string().nullish() }).nullish(),
  }),
  results: z.looseObject({ total_samples: z.number().nullish() }).nullish(),
});
const scored = z.looseObject({
  value: z.unknown().optional(),
  answer: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  metadata: z.looseObject({ confidence: z.unknown().optional() }).nullish(),
});

const sampleSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z.int().min(1).nullish(),
  input: z.union([z.string(), z.array(z.unknown())]),
  target: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]).nullish(),
  choices: z.array(z.string()).nullish(),
  scores: z.record(z.string(), scored).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  error: z.unknown().optional(),
  limit: z.looseObject({ type: z.string() }).nullish(),
  output: z
    .looseObject({
      choices: z
        .array(z.looseObject({ message: z.looseObject({ content: z.unknown().optional() }).nullish() }))
        .nullish(),
    })
    .nullish(),
  attachments: z.record(z.string(), z.string()).nullish(),
});
type Sample = z.infer<typeof sampleSchema>;

/** Logs of Inspect: `.json`, and `.eval`, an archive with a file for each sample. */
export const inspect: ResultFormat = {
  read: async (source, options, onRow) => {
    const log = new Log(source.path, options, onRow);
    if (source.kind === 'zip') readArchive(source, log);
    else {
      const head: Record<string, unknown> = {};
      await streamJson(
        source.path,
        ['$.version', '$.status', '$.eval', '$.results', '$.samples.*'],
        (value, { path, key }) => {
          if (path === '$.samples.*') log.sample(value, `sample ${Number(key) + 1}`);
          else head[String(key)] = value;
        },
      );
      log.header = checked(header, head, source.path);
    }
    return log.account();
  },
};

/** The samples are read in the order of the archive. A sample that the summaries list must be there. */
function readArchive({ path, names }: Source, log: Log): void {
  const zip = new ZipFile(path);
  try {
    const json = (name: string) =>
      parseJson(utf8Text(zip.read(name), `${path}: ${name}`), `${path}: ${name}`);
    const first = zip.has('header.json') ? 'header.json' : INSPECT_START;
    log.header = checked(header, json(first), `${path}: ${first}`);
    const missing = zip.has('summaries.json')
      ? listSamples(json('summaries.json'), `${path}: summaries.json`)
      : [];
    const absent = missing.find((name) => !zip.has(name));
    if (absent !== undefined) throw formatError(path, `member ${absent} is missing; summaries.json lists it`);
    for (const name of names) if (INSPECT_SAMPLE.test(name)) log.sample(json(name), name);
  } finally {
    zip.close();
  }
}

function listSamples(value: unknown, place: string): string[] {
  const summary = z.looseObject({ id: z.union([z.string(), z.number()]), epoch: z.int() });
  return checked(z.array(summary), value, place).map(({ id, epoch }) => `samples/${id}_epoch_${epoch}.json`);
}

/** Takes the samples of a log one by one. */
class Log {
  header: z.infer<typeof header> | null = null;
  readonly #path: string;
  readonly #options: FormatOptions;
  readonly #onRow: (row: SourceRow) => void;
  readonly #scorers = new Set<string>();
  readonly #epochs = new Set<number>();
  readonly #places = new Map<string, string>();
  #scorer: string | null = null;
  #n = 0;
  #nFromText = 0;
  #nConfidences = 0;

  constructor(path: string, options: FormatOptions, onRow: (row: SourceRow) => void) {
    this.#path = path;
    this.#options = options;
    this.#onRow = onRow;
  }

  sample(value: unknown, where: string): void {
    const place = `${this.#path}: ${where}`;
    const sample = checked(sampleSchema, value, place);
    const epoch = sample.epoch ?? 1;
    const before = this.#places.get(`${sample.id} ${epoch}`);
    if (before !== undefined)
      throw formatError(place, `the sample ${sample.id} of epoch ${epoch} is also ${before}`);
    this.#places.set(`${sample.id} ${epoch}`, where);
    this.#n += 1;
    this.#epochs.add(epoch);
    const scores = sample.scores ?? {};
    for (const name of Object.keys(scores)) this.#scorers.add(name);
    this.#scorer = this.#options.scorer ?? chooseScorer([...this.#scorers], undefined, place);
    const score = this.#scorer === null ? undefined : scores[this.#scorer];
    const stated = score?.metadata?.confidence;
    if (typeof stated === 'number') this.#nConfidences += 1;
    const targets = readTargets(sample);
    this.#onRow({
      where,
      run: '',
      id: String(sample.id),
      inputHash: contentHash(sample.input as never).slice(0, 16),
      answer: this.#answer(sample, score?.answer),
      targets,
      choices: sample.choices?.length ? letters(sample.choices.length) : undefined,
      score: readScore(score?.value),
      abstained: score?.value === 'N',
      confidence: typeof stated === 'number' ? stated : null,
      failed: whyFailed(sample, scores, score),
      metadata: plainValues(sample.metadata),
      record: value,
    });
  }

  #answer(sample: Sample, answer: Label | null | undefined): Label | null {
    if (answer !== undefined && answer !== null && answer !== '') return answer;
    const text = resolveText(sample.output?.choices?.[0]?.message?.content, sample.attachments ?? {});
    if (text !== null) this.#nFromText += 1;
    return text;
  }

  account(): FormatAccount {
    const { header } = this;
    if (header === null) throw formatError(this.#path, 'the header of the Inspect log is missing');
    if (this.#n === 0) throw formatError(this.#path, 'an Inspect log without samples: nothing to score');
    if (this.#options.scorer !== undefined)
      chooseScorer([...this.#scorers], this.#options.scorer, this.#path);
    const scorer = this.#scorer ?? 'no scorer';
    const total = header.results?.total_samples ?? null;
    const notes = [
      ...(header.status && header.status !== 'success' ? [`the status of the log is ${header.status}`] : []),
      ...(total !== null && total > this.#n ? [`the log says ${total} samples, and has ${this.#n}`] : []),
      ...(this.#nConfidences === 0 ? ['no confidences: the scorer states none'] : []),
    ];
    return {
      what: `Inspect log, task ${header.eval.task}, model ${header.eval.model}, ${counted(this.#n, 'sample')}, ${counted(this.#epochs.size, 'epoch')}, ${scorer}`,
      model: header.eval.model,
      mapped: {
        id: 'id',
        prediction:
          this.#nFromText === this.#n ? 'output.choices[0].message.content' : `scores.${scorer}.answer`,
        ground_truth: 'target',
        abstained: `scores.${scorer}.value "N"`,
        ...(this.#nConfidences > 0 && { confidence: `scores.${scorer}.metadata.confidence` }),
        repeat: 'epoch',
        failed: 'error, limit, no score',
      },
      notes,
    };
  }
}

/** The targets of a multiple choice are letters; texts of choices become the letters of these. */
function readTargets({ target, choices }: Sample): Label[] {
  const targets = target == null ? [] : [target].flat().filter((one) => one !== '');
  if (!choices?.length) return targets;
  const known = letters(choices.length);
  return targets.map((one) => {
    const text = String(one);
    const place = choices.indexOf(text);
    return known.includes(text.toUpperCase()) || place < 0 ? text : known[place]!;
  });
}

const GRADES: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

function readScore(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value >= 0 && value <= 1 ? value : null;
  return typeof value === 'string' ? (GRADES[value] ?? null) : null;
}

/** An error or a limit is no answer; nor is a sample that the scorer did not score. */
function whyFailed(
  { error, limit }: Sample,
  scores: Readonly<Record<string, unknown>>,
  score: { readonly value?: unknown } | undefined,
): string | undefined {
  if (error !== null && error !== undefined) return 'sample_error';
  if (limit != null) return `limit_${limit.type}`;
  if (
    Object.keys(scores).length > 0 &&
    (score === undefined || score.value === null || score.value === undefined)
  )
    return 'unscored';
  return undefined;
}

/** The text of a message; long texts are attachments. */
function resolveText(content: unknown, attachments: Readonly<Record<string, string>>): string | null {
  const whole = (text: string) =>
    text.startsWith('attachment://') ? (attachments[text.slice('attachment://'.length)] ?? text) : text;
  if (typeof content === 'string') return content === '' ? null : whole(content);
  if (!Array.isArray(content)) return null;
  const texts = content.flatMap((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
      ? [whole(part.text)]
      : [],
  );
  return texts.length === 0 ? null : texts.join('\n');
}
