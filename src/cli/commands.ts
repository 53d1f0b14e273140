import { type AnyCommand, anyCommand } from './options/option.ts';

/** Every command by its name, in the order of the help. Only the one that is used is loaded: the others would double the time to start. `argv` is what was typed after its name. */
export const COMMANDS: Readonly<Record<string, (argv: readonly string[]) => Promise<AnyCommand>>> = {
  run: load(async (argv) => (await import('./run.ts')).runCommand(argv)),
  score: load(async () => (await import('./score.ts')).scoreCommand()),
  report: load(async () => (await import('./report.ts')).reportCommand()),
  compare: load(async () => (await import('./compare.ts')).compareCommand()),
  threshold: load(async () => (await import('./threshold.ts')).thresholdCommand()),
  drift: load(async () => (await import('./drift.ts')).driftCommand()),
  plan: load(async () => (await import('./plan.ts')).planCommand()),
  view: load(async () => (await import('./view.ts')).viewCommand()),
  review: load(async () => (await import('./review/review.ts')).reviewCommand()),
  judge: load(async () => (await import('./judge.ts')).judgeCommand()),
  verify: load(async () => (await import('./verify.ts')).verifyCommand()),
  list: load(async () => (await import('./list.ts')).listCommand()),
  note: load(async () => (await import('./note.ts')).noteCommand()),
  rm: load(async () => (await import('./rm.ts')).rmCommand()),
  suites: load(async () => (await import('./suites.ts')).suitesCommand()),
  models: load(async () => (await import('./models.ts')).modelsCommand()),
  describe: load(async (argv) => (await import('./suites.ts')).describeCommand(argv)),
  suite: load(async (argv) => (await import('./suites.ts')).suiteParentCommand(argv)),
  validate: load(async () => (await import('./validate/validate.ts')).validateCommand()),
  rubric: load(async () => (await import('./rubric.ts')).rubricCommand()),
  import: load(async () => (await import('./import.ts')).importCommand()),
  bulk: load(async () => (await import('./bulk.ts')).bulkCommand()),
  merge: load(async () => (await import('./merge.ts')).mergeCommand()),
  bundle: load(async () => (await import('./bundle.ts')).bundleCommand()),
  worker: load(async () => (await import('./queue.ts')).workerCommand()),
  workers: load(async () => (await import('./queue.ts')).workersCommand()),
  queue: load(async () => (await import('./queue.ts')).queueCommand()),
  cache: load(async () => (await import('./cache.ts')).cacheCommand()),
  waits: load(async () => (await import('./cache.ts')).waitsCommand()),
  init: load(async () => (await import('./init.ts')).initCommand()),
  completion: load(async () => (await import('./completion.ts')).completionCommand()),
  conformance: load(async () => (await import('./conformance.ts')).conformanceCommand()),
};

/** Commands differ in the types of their options; the program does not care. */
function load(make: (argv: readonly string[]) => Promise<unknown>) {
  return async (argv: readonly string[]) => anyCommand(await make(argv));
}
