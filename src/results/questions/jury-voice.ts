import { type JudgeOutcome, juryOutcome } from '../../rubrics/index.ts';
import type { JudgePresent } from './judge-configurations.ts';

type Outcome = Partial<JudgeOutcome>;

/** A jury under one name, as if it were a judge. */
export function juryVoice(jury: readonly JudgePresent[]) {
  const names = jury.map(({ name }) => name);
  return {
    name: `jury (${names.join(', ')})`,
    /** What the jury says of an answer; null where none of its judges has said anything. */
    outcome: (said: (judge: string, pass: number) => Outcome | null): Outcome | null => {
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
