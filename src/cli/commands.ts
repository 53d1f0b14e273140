import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

/** A command as the help lists it, and its code, which is loaded only when the command is used. */
interface ListedCommand {
  readonly usage: string;
  readonly summary: string;
  /** `argv` is what was typed after the name. */
  readonly load: (argv: readonly string[]) => Promise<CommandUnknownOpts>;
}

interface TopCommand extends ListedCommand {
  /** `main`: the first help lists it; all others are under `krisis help all`. */
  readonly group: 'main' | 'more' | 'runs' | 'ops';
  /** The commands below it. Default: those that its code adds, or none. */
  readonly parts?: Readonly<Record<string, ListedCommand>>;
}

/** `krisis runs ...`: what is done to runs that are there. */
const RUNS: Readonly<Record<string, ListedCommand>> = {
  note: {
    usage: '[options] <run>',
    summary: 'name, tag, annotate or hide a run',
    load: async () => (await import('./note.ts')).noteCommand(),
  },
  rm: {
    usage: '[options] <runs...>',
    summary: 'delete runs with their notes and reviews',
    load: async () => (await import('./rm.ts')).rmCommand(),
  },
  verify: {
    usage: '[options] <runs...>',
    summary: 'check that run files were not changed',
    load: async () => (await import('./verify.ts')).verifyCommand(),
  },
  merge: {
    usage: '[options] <output> <parts...>',
    summary: 'merge the parts of a run (krisis run --shard)',
    load: async () => (await import('./merge.ts')).mergeCommand(),
  },
  export: {
    usage: '[options] <run>',
    summary: 'write a run as one file to take along',
    load: async () => (await import('./bundle.ts')).exportCommand(),
  },
  import: {
    usage: '[options] <file>',
    summary: 'import a run from a file: an exported run, results of another tool, HealthBench',
    load: async () => (await import('./import.ts')).importCommand(),
  },
};

/** `krisis ops ...`: what calls go through. */
const OPS: Readonly<Record<string, ListedCommand>> = {
  worker: {
    usage: '[options]',
    summary: 'make calls for runs that use a queue (krisis run --queue)',
    load: async () => (await import('./queue.ts')).workerCommand(),
  },
  workers: {
    usage: '[options]',
    summary: 'list the workers of a queue',
    load: async () => (await import('./queue.ts')).workersCommand(),
  },
  queue: {
    usage: '',
    summary: 'manage the calls of runs in a queue',
    load: async () => (await import('./queue.ts')).queueCommand(),
  },
  bulk: {
    usage: '',
    summary: 'list, await, cancel or clean up bulk jobs (--bulk)',
    load: async () => (await import('./bulk.ts')).bulkCommand(),
  },
  waits: {
    usage: '[options]',
    summary: 'list waits that providers asked for',
    load: async () => (await import('./cache.ts')).waitsCommand(),
  },
  cache: {
    usage: '',
    summary: 'manage the cache of replies',
    load: async () => (await import('./cache.ts')).cacheCommand(),
  },
};

/** Every command by its name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, TopCommand>> = {
  run: {
    group: 'main',
    usage: '[options] [suite]',
    summary: 'run models on a suite; alone, a demonstration',
    load: async (argv) => (await import('./run.ts')).runCommand(argv),
  },
  score: {
    group: 'main',
    usage: '[options] <files...>',
    summary: 'score answers you already have; calls no model',
    load: async () => (await import('./score.ts')).scoreCommand(),
  },
  compare: {
    group: 'main',
    usage: '[options] [runs...]',
    summary: 'compare runs on the same cases',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  report: {
    group: 'main',
    usage: '[options] <run>',
    summary: 'write a report of one run, in any format',
    load: async () => (await import('./report.ts')).reportCommand(),
  },
  view: {
    group: 'main',
    usage: '[options] [what...]',
    summary: 'view runs in a browser, or export a site',
    load: async () => (await import('./view.ts')).viewCommand(),
  },
  plan: {
    group: 'main',
    usage: '[options]',
    summary: 'compute how many cases a condition needs, and their cost',
    load: async () => (await import('./plan.ts')).planCommand(),
  },
  review: {
    group: 'main',
    usage: '[options] <run>',
    summary: 'have people label what a model or a judge said',
    load: async () => (await import('./review/review.ts')).reviewCommand(),
  },
  check: {
    group: 'main',
    usage: '[options] [what]',
    summary: 'check a file, show a suite; alone, list suites and models',
    load: async (argv) => (await import('./check.ts')).checkCommand(argv),
  },
  list: {
    group: 'main',
    usage: '[options] [folders...]',
    summary: 'list the runs in this folder, or in others',
    load: async () => (await import('./list.ts')).listCommand(),
  },
  init: {
    group: 'main',
    usage: '[options] [template] [folder]',
    summary: 'write a config and example data to start from',
    load: async () => (await import('./init.ts')).initCommand(),
  },
  threshold: {
    group: 'more',
    usage: '[options] <run>',
    summary: 'find the confidence at which to accept answers',
    load: async () => (await import('./analysis-command.ts')).analysisCommand('threshold'),
  },
  drift: {
    group: 'more',
    usage: '[options] <runs...>',
    summary: 'check whether a model still answers as it did',
    load: async () => (await import('./runs-command.ts')).runsCommand('drift'),
  },
  judge: {
    group: 'more',
    usage: '[options] [run]',
    summary: 'judge stored answers to open questions',
    load: async () => (await import('./judge.ts')).judgeCommand(),
  },
  conformance: {
    group: 'more',
    usage: '[options] [files...]',
    summary: 'check metrics, statistics, rubrics and clinical rules against reference cases',
    load: async () => (await import('./conformance.ts')).conformanceCommand(),
  },
  completion: {
    group: 'more',
    usage: '<shell>',
    summary: 'print a script for completion in your shell',
    load: async () => (await import('./completion.ts')).completionCommand(),
  },
  runs: {
    group: 'runs',
    usage: '',
    summary: 'name, check, delete, merge, export or import runs',
    parts: RUNS,
    load: (argv) => loadParts(RUNS, argv),
  },
  ops: {
    group: 'ops',
    usage: '',
    summary: 'workers, queues, bulk jobs, waits and the cache',
    parts: OPS,
    load: (argv) => loadParts(OPS, argv),
  },
};

/** A command that is nothing but its parts: only the one that was typed is loaded. */
async function loadParts(
  parts: Readonly<Record<string, ListedCommand>>,
  [named, ...rest]: readonly string[],
): Promise<CommandUnknownOpts> {
  const command = new Command();
  for (const [name, { summary, load }] of Object.entries(parts))
    command.addCommand(
      ((name === named ? await load(rest) : new Command()) as Command).name(name).description(summary),
    );
  return command;
}

/** Where commands went that had a place of their own once: typed from memory or an older page, they get the right name. */
const MOVED: Readonly<Record<string, string>> = {
  validate: 'check FILE',
  describe: 'check SUITE',
  rubric: 'check FILE',
  suites: 'check',
  models: 'check',
  suite: 'check SUITE --export FILE',
  bundle: 'runs export RUN',
  ...Object.fromEntries(Object.keys(RUNS).map((name) => [name, `runs ${name}`])),
  ...Object.fromEntries(Object.keys(OPS).map((name) => [name, `ops ${name}`])),
};

/** The right name of a command that is not there; null where none is known. */
export function movedCommand(name: string): string | null {
  return Object.hasOwn(MOVED, name) ? MOVED[name]! : null;
}

const TITLES: Readonly<Record<TopCommand['group'], string>> = {
  main: 'Commands',
  more: 'More commands',
  runs: 'Runs',
  ops: 'Calls',
};

/** What `krisis help all` prints: every command in groups, with the parts of those that have some. */
export function allCommandsText(): string {
  const groups = Object.entries(TITLES).map(([group, title]) => {
    const lines = Object.entries(COMMANDS)
      .filter(([, command]) => command.group === group)
      .flatMap(([name, { summary, parts }]) =>
        parts === undefined
          ? [[name, summary]]
          : Object.entries(parts).map(([part, own]) => [`${name} ${part}`, own.summary]),
      );
    return `${title}:\n${lines.map(([name, summary]) => `  ${name!.padEnd(14)}${summary}\n`).join('')}`;
  });
  return `${groups.join('\n')}\nkrisis help COMMAND shows the options of one.\n`;
}
