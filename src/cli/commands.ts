import { type AnyCommand, anyCommand } from './any-command.ts';

type Load = () => Promise<AnyCommand>;

/** Every command by its name, in the order of the help. Only the one that is used is loaded: the others would double the time to start. */
export const COMMANDS: Readonly<Record<string, Load>> = {
  run: load(async () => (await import('./run.ts')).runCommand()),
  score: load(async () => (await import('./score.ts')).scoreCommand()),
  report: load(async () => (await import('./report.ts')).reportCommand()),
  compare: load(async () => (await import('./compare.ts')).compareCommand()),
  view: load(async () => (await import('./view.ts')).viewCommand()),
  judge: load(async () => (await import('./judge.ts')).judgeCommand()),
  list: load(async () => (await import('./list.ts')).listCommand()),
  suites: load(async () => (await import('./suites.ts')).suitesCommand()),
  describe: load(async () => (await import('./describe.ts')).describeCommand()),
  suite: load(async () => (await import('./suite-export.ts')).suiteParentCommand()),
  validate: load(async () => (await import('./validate.ts')).validateCommand()),
  rubric: load(async () => (await import('./rubric.ts')).rubricCommand()),
  import: load(async () => (await import('./import.ts')).importCommand()),
  bundle: load(async () => (await import('./bundle.ts')).bundleCommand()),
  cache: load(async () => (await import('./cache.ts')).cacheCommand()),
  init: load(async () => (await import('./init.ts')).initCommand()),
  conformance: load(async () => (await import('./conformance.ts')).conformanceCommand()),
};

/** Commands differ in the types of their options; the program does not care. */
function load(make: () => Promise<unknown>): Load {
  return async () => anyCommand(await make());
}
