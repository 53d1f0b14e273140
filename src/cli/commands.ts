import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** A command as the help lists it, and its code, which is loaded only when the command is used. */
interface ListedCommand {
  readonly usage: string;
  readonly summary: string;
  /** `argv` is what was typed after the name. */
  readonly load: (argv: readonly string[]) => Promise<CommandUnknownOpts>;
}

/** Every command by its name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  run: {
    usage: '[options] [suite]',
    summary: 'run models on a suite; alone, a demonstration',
    load: async (argv) => (await import('./run.ts')).runCommand(argv),
  },
  score: {
    usage: '[options] <files...>',
    summary: 'score answers you already have; calls no model',
    load: async () => (await import('./score.ts')).scoreCommand(),
  },
  report: {
    usage: '[options] <run>',
    summary: 'write a report of one run, in any format',
    load: async () => (await import('./report.ts')).reportCommand(),
  },
  compare: {
    usage: '[options] [runs...]',
    summary: 'compare runs on the same records',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  threshold: {
    usage: '[options] <run>',
    summary: 'find the confidence at which to accept answers',
    load: async () => (await import('./threshold.ts')).thresholdCommand(),
  },
  drift: {
    usage: '[options] <runs...>',
    summary: 'check whether a model still answers as it did',
    load: async () => (await import('./drift.ts')).driftCommand(),
  },
  plan: {
    usage: '[options]',
    summary: 'compute how many records a condition needs, and their cost',
    load: async () => (await import('./plan.ts')).planCommand(),
  },
  view: {
    usage: '[options] [what...]',
    summary: 'view runs in a browser, or export a site',
    load: async () => (await import('./view.ts')).viewCommand(),
  },
  review: {
    usage: '[options] <run>',
    summary: 'have people label what a model or a judge said',
    load: async () => (await import('./review/review.ts')).reviewCommand(),
  },
  judge: {
    usage: '[options] [run]',
    summary: 'judge stored answers to open questions',
    load: async () => (await import('./judge.ts')).judgeCommand(),
  },
  verify: {
    usage: '[options] <runs...>',
    summary: 'check that run files were not changed',
    load: async () => (await import('./verify.ts')).verifyCommand(),
  },
  list: {
    usage: '[options] [folders...]',
    summary: 'list the runs in this folder, or in others',
    load: async () => (await import('./list.ts')).listCommand(),
  },
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
  suites: {
    usage: '[options]',
    summary: 'list the suites',
    load: async () => (await import('./suites.ts')).suitesCommand(),
  },
  models: {
    usage: '[options] [provider]',
    summary: 'list models and providers, keys that are set, and prices',
    load: async () => (await import('./models.ts')).modelsCommand(),
  },
  describe: {
    usage: '[options] <suite>',
    summary: 'show what a suite contains: counts, labels, baselines',
    load: async (argv) => (await import('./suites.ts')).describeCommand(argv),
  },
  suite: {
    usage: '',
    summary: 'export the records of a suite',
    load: async (argv) => (await import('./suites.ts')).suiteParentCommand(argv),
  },
  validate: {
    usage: '[options] <file>',
    summary: 'check a file (answers, suite, questions, config, data, run) and print all its problems',
    load: async () => (await import('./validate/validate.ts')).validateCommand(),
  },
  rubric: {
    usage: '',
    summary: 'check rubrics of open questions',
    load: async () => (await import('./rubric.ts')).rubricCommand(),
  },
  import: {
    usage: '[options] <file>',
    summary: 'import a result of the Python framework, or HealthBench',
    load: async () => (await import('./import.ts')).importCommand(),
  },
  bulk: {
    usage: '',
    summary: 'list, await, cancel or clean up bulk jobs (--bulk)',
    load: async () => (await import('./bulk.ts')).bulkCommand(),
  },
  merge: {
    usage: '[options] <output> <parts...>',
    summary: 'merge the parts of a run (krisis run --shard)',
    load: async () => (await import('./merge.ts')).mergeCommand(),
  },
  bundle: {
    usage: '',
    summary: 'export or import a run as one file',
    load: async () => (await import('./bundle.ts')).bundleCommand(),
  },
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
  cache: {
    usage: '',
    summary: 'manage the cache of replies',
    load: async () => (await import('./cache.ts')).cacheCommand(),
  },
  waits: {
    usage: '[options]',
    summary: 'list waits that providers asked for',
    load: async () => (await import('./cache.ts')).waitsCommand(),
  },
  init: {
    usage: '[template] [folder]',
    summary: 'write a config and example data to start from',
    load: async () => (await import('./init.ts')).initCommand(),
  },
  completion: {
    usage: '<shell>',
    summary: 'print a script for completion in your shell',
    load: async () => (await import('./completion.ts')).completionCommand(),
  },
  conformance: {
    usage: '[options] [files...]',
    summary: 'check metrics, statistics, rubrics and clinical rules against reference cases',
    load: async () => (await import('./conformance.ts')).conformanceCommand(),
  },
};
