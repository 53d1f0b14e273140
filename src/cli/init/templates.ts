/** What `krisis init` can write. A template works at once, without a key. */
export interface Template {
  readonly name: string;
  /** What it is for, in the words of a list. */
  readonly title: string;
  /** The files it writes, and the files under `examples/` that they are copies of. */
  readonly files: Readonly<Record<string, string>>;
  /** The commands to try next, without `npx`. */
  readonly next: readonly string[];
}

export const TEMPLATES: readonly Template[] = [
  {
    name: 'score',
    title: 'score answers you already have',
    files: { 'krisis.config.ts': 'init/score/krisis.config.ts', 'answers.jsonl': 'answers.jsonl' },
    next: ['krisis score answers.jsonl'],
  },
  {
    name: 'table',
    title: 'run models on your own table (CSV)',
    files: {
      'krisis.config.yaml': 'init/table/krisis.config.yaml',
      'suite.yaml': 'init/table/suite.yaml',
      'cases.csv': 'table-suite/sodium.csv',
    },
    next: ['krisis run suite.yaml'],
  },
  {
    name: 'compare',
    title: 'compare two models or providers',
    files: { 'krisis.config.yaml': 'init/compare/krisis.config.yaml' },
    next: ['krisis run ckd/staging', 'krisis compare --last'],
  },
  {
    name: 'questions',
    title: 'ask open questions and judge the answers',
    files: {
      'krisis.config.yaml': 'init/questions/krisis.config.yaml',
      'questions.yaml': 'init/questions/questions.yaml',
    },
    next: ['krisis run questions.yaml'],
  },
];

/** The templates as a list for a person to choose from. */
export function templateLines(): string {
  const width = Math.max(...TEMPLATES.map(({ name }) => name.length));
  return TEMPLATES.map(({ name, title }, i) => `  ${i + 1}  ${name.padEnd(width)}  ${title}\n`).join('');
}
