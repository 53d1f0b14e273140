import { didYouMean } from '../../core/near-names.ts';
import { quoted } from '../../core/plain-text.ts';
import { PROVIDERS } from '../../models/api/providers/providers.ts';
import { BASELINES } from '../../models/baselines/create-baseline.ts';
import { LEXICAL_JUDGE } from '../../models/judge.ts';
import { parsePersonality } from '../../models/simulated/personality.ts';
import { endpointProblem } from '../../runs/primary-endpoint.ts';
import type { KrisisConfig } from '../config/config.ts';
import { confirmProgram, isProgram } from '../config/confirm-program.ts';
import { loadConfig } from '../config/load-config.ts';
import { runValues } from '../config/run-values.ts';
import { LOCAL_MODELS } from '../models.ts';
import type { ConfigFlags } from '../options/option.ts';
import { noteSensitivity } from '../protected-data.ts';
import { type CheckedFile, problemsIn } from './checked-file.ts';

/** Checks a config: its keys, and the names of models, providers, suites and metrics in it. Its own table suites are read. */
export async function checkConfig(path: string, { trustConfig }: ConfigFlags): Promise<CheckedFile> {
  const kind = 'config';
  if (isProgram(path)) await confirmProgram(path, path, { trustConfig, isNamed: true });
  let config: KrisisConfig;
  try {
    config = await loadConfig({ config: path });
  } catch (error) {
    const { problems, n } = problemsIn(error);
    return { kind, problems, nProblems: n, text: ['A config.'], json: {} };
  }
  const { run = {}, suites = [], backends = [], metrics = [], allowEgress = [] } = config;
  const own = backends.map(({ name }) => name);
  const models = [run.model ?? []].flat();
  const names = {
    models,
    suites: suites.map(({ name }) => name),
    backends: own,
    metrics: metrics.map(({ name }) => name),
  };
  const problems = [
    ...models.flatMap((model) => modelProblem('run.model', model, own)),
    ...[run.judge ?? []]
      .flat()
      .flatMap((names) => names.split(','))
      .flatMap((judge) => modelProblem('run.judge', judge.trim(), [...own, LEXICAL_JUDGE.name])),
    ...allowEgress
      .map((name) => name.replace(/:bulk$/, ''))
      // A host has a dot or a port.
      .filter((name) => !/[.:]/.test(name) && ![...PROVIDERS, ...own, 'queue'].includes(name))
      .map(
        (name) =>
          `allowEgress: no provider ${quoted(name)}; ${didYouMean(name, [...PROVIDERS, ...own])} A host is written as name:port`,
      ),
    ...repeated('suites', names.suites),
    ...repeated('backends', own),
    ...repeated('metrics', names.metrics),
  ];
  for (const suite of suites) {
    try {
      noteSensitivity(suite);
      await suite.describe();
      const { task } = suite;
      const wrong = endpointProblem(task.primaryEndpoint.metric, task, { ownMetrics: metrics });
      if (wrong !== null) problems.push(`suite ${suite.name}: ${wrong}`);
    } catch (error) {
      problems.push(...problemsIn(error).problems.map((problem) => `suite ${suite.name}: ${problem}`));
    }
  }
  const named = Object.entries(names).flatMap(([what, list]) =>
    list.length === 0 ? [] : `${what}: ${list.join(', ')}`,
  );
  return {
    kind,
    problems,
    text: [`A config${named.length === 0 ? '' : `; ${named.join('; ')}`}.`, ...limitText(config, path)],
    json: names,
  };
}

/** What would be refused if the config were only found in the folder. */
function limitText(config: KrisisConfig, path: string): string[] {
  try {
    runValues({ ...config, foundAs: path }, {});
    return [];
  } catch (error) {
    return problemsIn(error).problems.map((problem) => `Without --config: ${problem}`);
  }
}

function repeated(section: string, names: readonly string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) < i))].map(
    (name) => `${section}: ${quoted(name)} is there twice`,
  );
}

/** What is wrong with the name of a model. The models of a provider are not known here. */
function modelProblem(key: string, model: string, own: readonly string[]): string[] {
  if (own.includes(model)) return [];
  const [kind = '', ...rest] = model.split('/');
  const name = rest.join('/');
  const baselines = BASELINES.map((baseline) => `baseline/${baseline}`);
  if (kind === 'baseline')
    return baselines.includes(model)
      ? []
      : [`${key}: no model ${quoted(model)}; ${didYouMean(model, baselines)}`];
  if (kind === 'simulated') {
    try {
      parsePersonality(name);
      return [];
    } catch (error) {
      return problemsIn(error).problems.map((problem) => `${key}: ${problem}`);
    }
  }
  if (kind === 'replay' && name !== '') return [];
  if (name !== '' && PROVIDERS.some((provider) => provider === kind)) return [];
  const known = [
    ...PROVIDERS.map((provider) => `${provider}/MODEL`),
    ...baselines,
    ...LOCAL_MODELS.simulated,
    ...own,
  ];
  const [near] = PROVIDERS.filter((provider) => didYouMean(kind, [provider]).startsWith('did you mean'));
  const hint = name !== '' && near !== undefined ? `did you mean ${near}/${name}?` : didYouMean(model, known);
  return [`${key}: no model ${quoted(model)}; ${hint}`];
}
