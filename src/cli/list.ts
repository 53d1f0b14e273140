import { relative } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { snakeKeys } from '../core/codec.ts';
import { pick } from '../core/collections.ts';
import { plain } from '../core/plain-text.ts';
import { borderlessTable } from '../reports/layout/borderless-table.ts';
import { type ListedRun, listRuns, RUNS_FOLDER } from '../store/list-runs.ts';
import { readNames } from './options/option.ts';
import { columnMaker, print, printMessage, textWidth } from './print.ts';

/** Keys of the JSON. */
const SHOWN = [
  'n',
  'suite',
  'suiteHash',
  'model',
  'arm',
  'createdAt',
  'status',
  'nDone',
  'hasRows',
  'states',
  'simulated',
  'name',
  'note',
  'tags',
  'hidden',
] as const;

function notVerified({ seal }: ListedRun): string {
  return seal === null || seal.verdict === 'verified' ? '' : seal.verdict;
}

/** Rows without a usable answer that are no abstentions: `8 failed, 2 invalid`. */
function notUsable({ states }: ListedRun): string {
  const { failed = 0, invalid = 0, refused = 0 } = states;
  return [failed > 0 && `${failed} failed`, invalid + refused > 0 && `${invalid + refused} invalid`]
    .filter(Boolean)
    .join(', ');
}

function formatTags({ tags, hidden }: ListedRun): string {
  return [...tags, ...(hidden ? ['(hidden)'] : [])].join(', ');
}

function listText(runs: readonly ListedRun[]): string {
  const column = columnMaker(runs);
  const columns = [
    column('suite', ({ suite }) => suite),
    column('model', ({ model }) => model),
    ...(runs.some(({ name }) => name !== null) ? [column('name', ({ name }) => name ?? '')] : []),
    column('cases', ({ nDone, n, hasRows }) => (hasRows ? `${nDone}/${n}` : `${n} published`), true),
    ...(runs.some((run) => notUsable(run) !== '') ? [column('not usable', notUsable)] : []),
    column('status', ({ status }) => status),
    ...(runs.some((run) => notVerified(run) !== '') ? [column('file', notVerified)] : []),
    ...(runs.some((run) => formatTags(run) !== '') ? [column('tags', formatTags)] : []),
    {
      ...column('started (UTC)', ({ createdAt }) => createdAt.slice(0, 16).replace('T', ' ')),
      isWhole: true,
      isSpare: true,
    },
    { ...column('run file', ({ path }) => relative('.', path)), isWhole: true },
  ];
  return borderlessTable(columns, textWidth()).join('\n');
}

/** `krisis list`: the runs of this folder. */
export function listCommand() {
  return new Command()
    .argument('[folders...]', `folders of run files (default: ${RUNS_FOLDER})`)
    .option('--tag <tags>', 'only runs with this tag, or with each of several (a,b)', readNames)
    .option('--all', 'include hidden runs (krisis runs note RUN --hide hides one)')
    .option('--json', 'print one JSON object on standard output, with hidden runs')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis list\n  krisis list --tag baseline\n  krisis list other/folder --json\n  krisis list runs ../anna/runs\n',
    )
    .action((typed, { json, tag: wanted = [], all }) => {
      const folders = typed.length === 0 ? [RUNS_FOLDER] : [...new Set(typed)];
      const folder = folders.join(' and ');
      const lists = folders.map(listRuns);
      const found = lists
        .flatMap(({ runs }) => runs)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt, 'en'));
      const unreadable = lists.flatMap((one) => one.unreadable);
      const runs = found.filter(({ tags }) => wanted.every((tag) => tags.includes(tag)));
      const listed = all ? runs : runs.filter(({ hidden }) => !hidden);
      const objects = runs.map((run) => ({
        run_file: run.path,
        ...snakeKeys({ ...pick(run, SHOWN), arm: run.arm ?? '' }),
        verdict: run.seal?.verdict ?? null,
      }));
      const none =
        found.length === 0
          ? `no runs in ${folder}; create one with krisis run`
          : wanted.length > 0 && runs.length === 0
            ? `no run in ${folder} has the tag ${wanted.map(plain).join(' and ')}`
            : `all runs in ${folder} are hidden`;
      print(
        json,
        'list',
        { runs: objects, unreadable },
        `${listed.length === 0 ? none : listText(listed)}\n`,
      );
      if (json) return;
      const nHidden = runs.length - listed.length;
      if (nHidden > 0) printMessage(`${nHidden} hidden; --all lists ${nHidden === 1 ? 'it' : 'them'}, too\n`);
      for (const { error } of unreadable) printMessage(`! ${plain(error)}\n`);
    });
}
