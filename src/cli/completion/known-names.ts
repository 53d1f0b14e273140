import {
  BASELINES,
  describeProvider,
  LEXICAL_JUDGE,
  listProviders,
  PERSONALITIES,
  PROVIDERS,
} from '../../models/index.ts';
import { runNames } from '../../store/index.ts';
import { BUILT_IN_SUITES, QUESTION_SUITES } from '../../suites/index.ts';

/** The suites of krisis. Those of a config are left out: it is a program, and pressing a key must not run it. */
export const SUITE_NAMES: readonly string[] = [...BUILT_IN_SUITES, ...QUESTION_SUITES].map(
  ({ name }) => name,
);

/** Models that need no key, and models of providers: a few of each, or all that are known once its name is typed. */
export async function modelNames(typed: string): Promise<string[]> {
  const [provider] = typed.split('/');
  const ofProvider =
    typed.includes('/') && PROVIDERS.includes(provider!)
      ? (await describeProvider(provider!)).models.map(({ id }) => `${provider}/${id}`)
      : [];
  return [
    ...BASELINES.map((name) => `baseline/${name}`),
    LEXICAL_JUDGE.name,
    'baseline/reference',
    ...Object.keys(PERSONALITIES).map((name) => `simulated/${name}`),
    ...(await listProviders()).flatMap(({ name, examples }) => examples.map(({ id }) => `${name}/${id}`)),
    ...ofProvider,
  ];
}

/** The runs of this folder, by name, and the word for the newest. */
export function runs(): string[] {
  const names = runNames();
  return names.length === 0 ? [] : ['latest', ...names];
}
