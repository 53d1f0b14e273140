import type { RunLine } from '../api.ts';
import { moment } from '../parts/words.ts';
import { hrefOf } from '../router.ts';
import { runName } from '../runs/chosen-runs.tsx';

/** A place to go to. */
export interface PaletteEntry {
  readonly title: string;
  readonly about: string;
  readonly href: string;
}

/** More would not be read. */
const MOST_ENTRIES = 30;

/** The places whose words begin as typed: pages of the current run first, then its records, pages, suites and runs. */
export function entriesFor(
  runs: readonly RunLine[],
  typed: string,
  here: RunLine | undefined,
  records: readonly string[],
): PaletteEntry[] {
  const words = typed.trim().toLowerCase().split(/\s+/);
  const others = runs.filter((run) => run !== here);
  const found = [...pagesOf(here), ...pages(), ...suitesOf(runs), ...others.map(runEntry)].filter(
    ({ title, about }) => {
      const text = `${title} ${about}`.toLowerCase();
      return words.every((word) => text.includes(word));
    },
  );
  const ofRun = here === undefined ? [] : records.map((record) => recordEntry(here, record));
  return [...ofRun, ...found].slice(0, MOST_ENTRIES);
}

function pages(): PaletteEntry[] {
  return [
    { title: 'Runs', about: 'page', href: hrefOf('') },
    { title: 'Compare', about: 'page', href: hrefOf('compare') },
  ];
}

function pagesOf(run: RunLine | undefined): PaletteEntry[] {
  if (run === undefined) return [];
  const { id } = run;
  const about = `this run, ${runName(run)}`;
  const own =
    run.kind === 'questions'
      ? [{ title: 'Answers and rubrics', about, href: hrefOf('runs/:id/questions', { id }) }]
      : [
          { title: 'Overview', about, href: hrefOf('runs/:id', { id }) },
          { title: 'Records', about, href: hrefOf('runs/:id/records', { id }) },
        ];
  return [...own, { title: 'Compare with …', about, href: hrefOf('compare', { runs: [id, ''] }) }];
}

function suitesOf(runs: readonly RunLine[]): PaletteEntry[] {
  return [...new Set(runs.map(({ suite }) => suite))].map((suite) => ({
    title: suite,
    about: 'suite: all models, history',
    href: hrefOf('suites/:suite', { suite }),
  }));
}

function runEntry(run: RunLine): PaletteEntry {
  const about = [run.notes.name !== null && run.model, run.suite, moment(run.created_at), ...run.notes.tags];
  return {
    title: runName(run),
    about: `run: ${about.filter(Boolean).join(', ')}`,
    href: hrefOf(run.kind === 'questions' ? 'runs/:id/questions' : 'runs/:id', { id: run.id }),
  };
}

function recordEntry({ id }: RunLine, record: string): PaletteEntry {
  return { title: record, about: 'record of this run', href: hrefOf('runs/:id/records', { id, record }) };
}
