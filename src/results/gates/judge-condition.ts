import type { Score } from '../../core/index.ts';
import { LEXICAL_JUDGE } from '../../models/index.ts';
import { disagreementText, judgeStanding } from '../questions/judge-standing.ts';
import type { Judging } from '../questions/judging.ts';
import { scoringJudges } from '../questions/scoring-judges.ts';
import type { GateVerdict } from './verdict.ts';

/**
 * The outcome of a condition on a judged score: undecided where its judge cannot be relied on, with the reason. `score` is what the condition is about; a condition on anything else stays as it is.
 */
export function underJudge(
  verdict: GateVerdict,
  score: Pick<Score, 'name' | 'judged' | 'value'>,
  judging: Pick<Judging, 'judge' | 'jury'>,
  allowUncalibrated: boolean,
): GateVerdict {
  if (score.judged === undefined) return verdict;
  const { gate, reason, judge } = judgeStanding(judging.judge, {
    score: score.judged,
    correctedAvailable: score.judged === 'corrected' && score.value !== null,
    allowUncalibrated,
  });
  if (gate === 'undecided') {
    const why =
      reason === 'judge_refuted'
        ? `, but ${disagreementText(judging.judge)}: only scores corrected by their labels decide`
        : reason === 'judge_not_calibrated'
          ? `, but the judge is not calibrated: have people label some of its verdicts`
          : '';
    return { ...verdict, status: 'undecided', message: `${verdict.message}${why}`, reason: reason! };
  }
  if (score.judged === 'corrected' || judge === 'calibrated') return verdict;
  const isLexical = scoringJudges(judging).some(({ judge: name }) => name === LEXICAL_JUDGE.name);
  const warnings = [
    ...(verdict.warning === undefined ? [] : [verdict.warning]),
    'the judge is not calibrated, and was accepted as it is',
    ...(isLexical ? [`${LEXICAL_JUDGE.name} looks for words and passes dangerous answers`] : []),
  ];
  return { ...verdict, warning: warnings.join('; ') };
}
