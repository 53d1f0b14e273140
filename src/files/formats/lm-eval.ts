import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import { decodeText } from '../../core/delimited/decode-text.ts';
import type { Label } from '../../core/label.ts';
import { counted } from '../../core/wording.ts';
import { parseJson } from '../json-text.ts';
import { checked, chooseScorer, formatError, labelField, letters, type ResultFormat } from './format.ts';

const sampleSchema = z.looseObject({
  doc_id: z.union([z.int(), z.string()]),
  doc: z.unknown().optional(),
  doc_hash: z.string().nullish(),
  target: z.union([labelField, z.array(z.union([z.string(), z.number()]))]),
  resps: z.array(z.unknown()),
  filtered_resps: z.array(z.unknown()),
  filter: z.string().nullish(),
  metrics: z.array(z.string()).nullish(),
});
/** The log of samples that lm-evaluation-harness writes with `--log_samples`: one task, one model, a line for each document and filter. */
export const lmEval: ResultFormat = {
  read: async ({ path }, options, onRow) => {
    const filters = new Set<string>();
    const metrics = new Set<string>();
    const seen = new Map<string, number>();
    let [n, nChoices, nRows] = [0, 0, 0];
    // A scorer is a filter, or a metric.
    const isFilter = (name: string | undefined) => name !== undefined && filters.has(name);
    for await (const { value, number } of readLines(path)) {
      const place = `${path}:${number}`;
      const sample = checked(sampleSchema, value, place);
      const filter = sample.filter ?? 'none';
      filters.add(filter);
      for (const metric of sample.metrics ?? []) metrics.add(metric);
      n += 1;
      if (filters.size > 1 && !isFilter(options.scorer) && options.scorer === undefined)
        chooseScorer([...filters], undefined, place);
      if (
        options.scorer !== undefined &&
        options.scorer !== filter &&
        !(sample.metrics ?? []).includes(options.scorer)
      )
        continue;
      const before = seen.get(`${sample.doc_id} ${filter}`);
      if (before !== undefined)
        throw formatError(
          place,
          `the document ${sample.doc_id} is also in line ${before}, with the same filter`,
        );
      seen.set(`${sample.doc_id} ${filter}`, number);
      const choice = readChoice(sample, place);
      if (choice !== null) nChoices += 1;
      const metric = (sample.metrics ?? []).includes(options.scorer ?? '')
        ? options.scorer!
        : choice === null
          ? chooseScorer(sample.metrics ?? [], undefined, place)
          : null;
      const common = {
        where: `line ${number}`,
        run: '',
        id: String(sample.doc_id),
        inputHash: (sample.doc_hash ?? contentHash((sample.doc ?? null) as never)).slice(0, 16),
        record: value,
      };
      if (choice !== null) {
        onRow({ ...common, ...choice, score: null });
        nRows += 1;
        continue;
      }
      const targets = [sample.target ?? []].flat();
      const score = metric === null ? null : readScore(sample[metric], place, metric);
      const answers = sample.filtered_resps.flatMap((answer) => (Array.isArray(answer) ? answer : [answer]));
      // A metric over several responses is not that of one of them.
      for (const answer of answers) {
        onRow({
          ...common,
          answer: readAnswer(answer),
          targets,
          score: answers.length === 1 ? score : null,
        });
        nRows += 1;
      }
      if (answers.length === 0) onRow({ ...common, answer: null, targets, score, failed: 'no_response' });
    }
    if (n === 0) throw formatError(path, 'no samples');
    if (options.scorer !== undefined && seen.size === 0)
      chooseScorer([...filters, ...metrics], options.scorer, path);
    const isChoice = nChoices > 0;
    return {
      what: `lm-evaluation-harness, ${counted(new Set([...seen.keys()].map((key) => key.split(' ')[0])).size, 'document')}, ${counted(nRows, 'answer')}${isChoice ? ', multiple choice' : ''}`,
      mapped: {
        id: 'doc_id (input: doc_hash)',
        prediction: isChoice ? 'the largest log-likelihood of filtered_resps' : 'filtered_resps',
        ground_truth: 'target',
        ...(isChoice && { confidence: 'softmax of the log-likelihoods' }),
        ...(!isChoice && { score: options.scorer ?? [...metrics].join(', ') }),
        repeat: 'several responses',
      },
      notes: [],
    };
  },
};

/** The choice with the largest log-likelihood; null for a task in which the model writes. */
function readChoice(sample: z.infer<typeof sampleSchema>, place: string) {
  const pairs = sample.filtered_resps.map((answer) =>
    Array.isArray(answer) && answer.length === 2 && /^(true|false)$/i.test(String(answer[1]))
      ? Number(answer[0])
      : Number.NaN,
  );
  if (pairs.length < 2 || pairs.some((value) => Number.isNaN(value))) return null;
  const known = letters(pairs.length);
  const best = pairs.indexOf(Math.max(...pairs));
  const sum = pairs.reduce((total, value) => total + Math.exp(value - pairs[best]!), 0);
  const [target] = [sample.target ?? []].flat();
  const index = typeof target === 'number' ? target : Number(target);
  const place2 = Number.isInteger(index) ? index : choicesIn(sample.doc).indexOf(String(target).trim());
  if (target === undefined || known[place2] === undefined)
    throw formatError(place, `target: expected the index of one of ${pairs.length} choices`);
  return { answer: known[best]!, targets: [known[place2]!], choices: known, confidence: 1 / sum };
}

function choicesIn(doc: unknown): string[] {
  const choices = typeof doc === 'object' && doc !== null && 'choices' in doc ? doc.choices : null;
  const texts = typeof choices === 'object' && choices !== null && 'text' in choices ? choices.text : choices;
  return Array.isArray(texts) ? texts.map((text) => String(text).trim()) : [];
}

function readAnswer(answer: unknown): Label | null {
  if (typeof answer === 'string') return answer.trim() === '' ? null : answer;
  return typeof answer === 'number' || typeof answer === 'boolean' ? answer : null;
}

function readScore(value: unknown, place: string, metric: string): number | null {
  if (value === null || value === undefined) return null;
  const score = typeof value === 'boolean' ? Number(value) : value;
  if (typeof score === 'number' && score >= 0 && score <= 1) return score;
  throw formatError(place, `${metric}: expected a number from 0 to 1; choose another with --scorer NAME`);
}

const MAX_LINE = 2 ** 26;

/** The objects of a file with one on each line. */
export async function* readLines(path: string): AsyncGenerator<{ value: unknown; number: number }> {
  let rest = '';
  let number = 0;
  const parse = (text: string) => ({ value: parseJson(text, `${path}:${number}`), number });
  for await (const text of decodeText(createReadStream(path, { highWaterMark: 1 << 18 }), path, 'utf-8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield parse(line);
    }
    if (rest.length > MAX_LINE)
      throw formatError(`${path}:${number + 1}`, `a line of more than ${MAX_LINE / 2 ** 20} MiB`);
  }
  number += 1;
  if (rest.trim() !== '') yield parse(rest);
}
