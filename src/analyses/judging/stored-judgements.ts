import type { JudgeOutcome } from '../../rubrics/judge/judge-outcome.ts';
import { juryOutcome } from '../../rubrics/jury/jury-outcome.ts';
import type { Judgement } from '../../store/judgements.ts';
import type { Run } from '../../store/run.ts';
import type { RunFile } from '../../store/run-file.ts';
import {
  configurations,
  type JudgePresent,
  matching,
  scoredMembers,
  voiceNames,
} from './judge-configurations.ts';

/** The pass that is scored. */
export const SCORED_PASS = 0;

/** What a judgement is of; `judge` is the name of a configuration. */
type Place = Pick<Judgement, 'recordId' | 'repeat' | 'judge' | 'pass' | 'rubric'>;

/** The judgements of a run, by what they are of. */
export interface Judgements {
  /** The judges, by name; the user's functions are not among them. */
  readonly judges: readonly JudgePresent[];
  /** The judges of the jury whose verdicts are scored; empty for a single judge. */
  readonly jury: readonly JudgePresent[];
  /** The name of the jury; null for a single judge. */
  readonly juryName: string | null;
  outcome(place: Place): Partial<JudgeOutcome> | null;
  /** The judge, or the jury, whose verdicts on a rubric are scored; null where none has judged by it. */
  judgeOf(rubric: string): string | null;
  /** The name of a configuration. */
  findName(judge: string, config: string): string;
}

/**
 * Reads the judgements of a run. With `wanted`, only those of that judge count: a name, or the beginning of a configuration. Without, those of the judge or jury that was asked for last, and where that one has not
 * judged by a rubric at all (its traits came with another judge), those of the judge asked last that has. Judgements of different configurations are never mixed.
 */
export function storedJudgements(
  file: RunFile,
  { wanted, manifest }: { readonly wanted: string | null; readonly manifest: Run },
): Judgements {
  const outcomes = new Map<string, Partial<JudgeOutcome>>();
  const found = new Map<
    string,
    { judge: string; config: string; passes: number; nJudgements: number; hashes: Set<string> }
  >();
  const stored: (Place & { readonly config: string })[] = [];
  for (const { outcome, config = '', ...place } of file.judgements.read()) {
    const said = withQuotes(outcome as Partial<JudgeOutcome>);
    outcomes.set(makeKey(place, config), said);
    // Entries of our own: functions, and lists in place of verdicts.
    if (place.judge.startsWith('krisis/')) continue;
    stored.push({ ...place, config });
    const key = `${config} ${place.judge}`;
    const known = found.get(key) ?? {
      judge: place.judge,
      config,
      passes: 0,
      nJudgements: 0,
      hashes: new Set(),
    };
    found.set(key, known);
    known.passes = Math.max(known.passes, place.pass + 1);
    known.nJudgements += 1;
    if (said.promptHash) known.hashes.add(said.promptHash);
  }
  const settings = configurations(manifest);
  const names = voiceNames([...found.values(), ...settings]);
  const findName = (judge: string, config: string) => names.get(`${config} ${judge}`) ?? judge;
  const judges = [...found.values()]
    .map(
      ({ hashes, ...rest }): JudgePresent => ({
        name: findName(rest.judge, rest.config),
        ...rest,
        promptHashes: [...hashes].sort(),
        settings:
          settings.find(({ config, judge }) => config === rest.config && judge === rest.judge) ?? null,
      }),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(judges.map((judge) => [judge.name, judge]));
  const judgesOf = new Map<string, Set<string>>();
  for (const { judge, config, rubric } of stored)
    judgesOf.set(rubric, (judgesOf.get(rubric) ?? new Set()).add(findName(judge, config)));
  const scored = wanted === null ? scoredMembers(manifest, judges) : matching(wanted, judges).slice(0, 1);
  const jury = scored.length > 1 ? scored : [];
  const voice = jury.length === 0 ? null : juryVoice(jury);
  const outcome = (place: Place): Partial<JudgeOutcome> | null => {
    if (place.judge === voice?.name)
      return voice.outcome((judge, pass) => outcome({ ...place, judge, pass }));
    const known = byName.get(place.judge);
    return (
      outcomes.get(makeKey({ ...place, judge: known?.judge ?? place.judge }, known?.config ?? '')) ?? null
    );
  };
  return {
    judges,
    jury,
    juryName: voice?.name ?? null,
    outcome,
    findName,
    judgeOf: (rubric) => {
      const own = judgesOf.get(rubric) ?? new Set();
      const isThere = scored.some(({ name }) => own.has(name));
      if (isThere) return voice?.name ?? scored[0]!.name;
      if (wanted !== null) return null;
      return lastAsked([...own].map((name) => byName.get(name)!))?.name ?? null;
    },
  };
}

/** The judge that was asked last; by name where the run does not say. */
function lastAsked(judges: readonly JudgePresent[]): JudgePresent | undefined {
  const time = ({ settings }: JudgePresent) => settings?.lastAsked ?? '';
  return judges.toSorted((a, b) =>
    time(a) === time(b) ? (a.name < b.name ? -1 : 1) : time(a) < time(b) ? 1 : -1,
  )[0];
}

/** A quote from an answer whose text is not kept is stored as its offsets, and shown as them. */
function withQuotes(outcome: Partial<JudgeOutcome>): Partial<JudgeOutcome> {
  const { verdicts } = outcome;
  if (!verdicts?.some(({ quotes }) => quotes.some(({ text }) => text === undefined))) return outcome;
  return {
    ...outcome,
    verdicts: verdicts.map((verdict) => ({
      ...verdict,
      quotes: verdict.quotes.map((quote) => ({
        ...quote,
        text: quote.text ?? `[${quote.start}-${quote.end}]`,
      })),
    })),
  };
}

function makeKey({ recordId, repeat, judge, pass, rubric }: Place, config: string): string {
  return JSON.stringify([recordId, repeat, judge, pass, rubric, config]);
}

/** A jury under one name, as if it were a judge. */
function juryVoice(jury: readonly JudgePresent[]) {
  const names = jury.map(({ name }) => name);
  return {
    name: `jury (${names.join(', ')})`,
    /** What the jury says of an answer; null where none of its judges has said anything. */
    outcome: (
      said: (judge: string, pass: number) => Partial<JudgeOutcome> | null,
    ): Partial<JudgeOutcome> | null => {
      const passesOf = Object.fromEntries(
        jury.map(({ name, passes }) => [
          name,
          Array.from({ length: passes }, (_, pass) => said(name, pass)).filter((outcome) => outcome !== null),
        ]),
      );
      return Object.values(passesOf).every((passes) => passes.length === 0)
        ? null
        : juryOutcome(names, passesOf);
    },
  };
}
