import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const MODELS = ['gpt4_1106', 'gpt3_1106', 'mistral-v2', 'mistral-v1', 'llama2-7b'] as const;
/** How a case is presented, with four options or with none. */
export const FORMATS = ['vignette', 'multiturn', 'singleturn', 'summarized'] as const;

export interface Case {
  readonly id: string;
  readonly choices: readonly string[];
  readonly answer: string;
  /** Whether experts see more than one possible answer; null where they were not asked. */
  readonly ambiguous: boolean | null;
  readonly isDermatology: boolean;
}

/** The replies of one trial by field (`vignette_mcq`), and the grader's verdicts (`evaluation_vignette_frq`). */
export type Trial = Readonly<Record<string, unknown>>;

/** The physicians' count of right trials for a case, of gpt-4's answers to the vignette without options. */
export interface Check {
  readonly id: string;
  readonly right: number;
}

/** The cases that every model was asked, by number. */
export function readCases(folder: string): readonly Case[] {
  const path = join(folder, 'data/usmle_and_derm_dataset.csv');
  if (!existsSync(path)) throw new Error(`no ${path}: expected a checkout of rajpurkarlab/craft-md`);
  const annotations = new Map(
    readTable(join(folder, 'results/expert_annotations/case_vignette_qc.csv')).map((row) => [
      row.case_id!,
      row.only_possible_answer === 'No',
    ]),
  );
  const seen = { public: 0, private: 0 };
  return readTable(path)
    .filter(({ case_id }) => existsSync(join(folder, 'results', MODELS[0], `${case_id}.json`)))
    .map((row) => {
      // Experts number the cases of each part from 1.
      const part =
        row.dataset === 'dermatology_public'
          ? 'public'
          : row.dataset === 'dermatology_private'
            ? 'private'
            : null;
      const number = part === null ? '' : String(++seen[part]).padStart(2, '0');
      return {
        id: row.case_id!,
        choices: [row.choice_1!, row.choice_2!, row.choice_3!, row.choice_4!],
        answer: row.answer!,
        isDermatology: row.category === 'Dermatology',
        ambiguous: annotations.get(`${part}_case${number}`) ?? null,
      };
    });
}

/** The trials of a model, by case. */
export function readTrials(folder: string, model: string): ReadonlyMap<string, readonly Trial[]> {
  const own = join(folder, 'results', model);
  return new Map(
    readdirSync(own)
      .sort()
      .map((file) => {
        const found = JSON.parse(readFileSync(join(own, file), 'utf8'));
        const trials = Object.keys(found)
          .filter((key) => key.startsWith('trial_'))
          .sort();
        return [found.case_id as string, trials.map((trial) => found[trial] as Trial)];
      }),
  );
}

/**
 * What physicians counted; a case that they could not judge is missing. Their file numbers the dermatology cases from 0, in the order of the table of cases: from the 201st on, `case_200` and the like name other
 * cases there. The right answers, which both files have, show it.
 */
export function readChecks(folder: string, cases: readonly Case[]): readonly Check[] {
  const rows = parseCsv(
    readFileSync(join(folder, 'results/expert_annotations/validation_graderai.csv'), 'utf8'),
  );
  const ids = rows.find((row) => row[1]?.startsWith('case_'))!;
  const [counts, answers] = ['dermatologist_accuracy', 'correct_ans'].map((title) =>
    rows.find(([name]) => name === title),
  ) as [string[], string[]];
  const dermatology = cases.filter(({ isDermatology }) => isDermatology);
  return ids.flatMap((name, c) => {
    if (c === 0) return [];
    const own = dermatology[Number(name.replace('case_', ''))];
    if (own === undefined || plain(own.answer) !== plain(answers[c]!))
      throw new Error(
        `the physicians' ${name} is not dermatology case ${name.replace('case_', '')}: ${answers[c]}`,
      );
    return counts[c] === '' ? [] : [{ id: own.id, right: Number(counts[c]) }];
  });
}

/** The option that a reply names; null where it names none, or several of which none contains the others. */
export function chosen(reply: string, choices: readonly string[]): string | null {
  const text = ` ${plain(reply)} `;
  const named = choices
    .filter((choice) => text.includes(` ${plain(choice)} `))
    .sort((a, b) => b.length - a.length);
  const [longest, ...rest] = named;
  return longest !== undefined && rest.every((other) => plain(longest).includes(plain(other)))
    ? longest
    : null;
}

export function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function readTable(path: string): Record<string, string>[] {
  const [titles, ...rows] = parseCsv(readFileSync(path, 'utf8'));
  return rows.map((row) => Object.fromEntries(titles!.map((title, t) => [title, row[t] ?? ''])));
}

/** Comma-separated values with quoted cells. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? bare! : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}
