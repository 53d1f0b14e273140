import type { JudgeReliability, JudgesAgreement } from '../../results/index.ts';
import type { JudgeAgainstHumans } from '../../rubrics/index.ts';
import { list, numbers, paragraph, section, strong, table } from '../document/blocks.ts';
import type { Section } from '../document/document.ts';
import type { JudgedResult } from '../judged-result.ts';
import { counted, DASH, inWords, number, range } from '../words.ts';

/** Shown beside every score until people have checked the judge. */
export const NOT_CALIBRATED = 'judge not calibrated';

/** How far the judge agrees with itself, with other judges and with people. */
export function judge({ judging: { judge: found } }: JudgedResult): Section {
  const { calibration, reliability, between } = found;
  return section({ id: 'judge', title: 'Can the judge be trusted?' }, [
    list([...reliability.map(reliabilityText), ...between.map(betweenText)]),
    calibration === null
      ? paragraph([
          strong('Judge not calibrated'),
          ': there are no verdicts of people to compare its verdicts with.',
        ])
      : table(
          'Against verdicts of people',
          ['trait', ...numbers('kappa', 'sensitivity', 'specificity', 'n', 'unclear', 'unusable')],
          [
            {
              title: 'Against verdicts of people',
              rows: [
                ['all traits', ...againstCells(calibration.overall)],
                ...Object.entries(calibration.byTrait).map(([name, against]) => [
                  name,
                  ...againstCells(against),
                ]),
              ],
            },
          ],
        ),
  ]);
}

/** Who judged, in a few words. */
export function judgeText({ judging: { judge: found } }: JudgedResult): string {
  if (found.names.length === 0) return 'not judged yet';
  const names = found.names.map((name) => {
    const passes = found.judges.find((present) => present.name === name)?.passes;
    return passes === undefined ? name : `${name} (${passes === 1 ? '1 pass' : `${passes} passes`})`;
  });
  return `judged by ${names.join(', ')}; ${found.calibration === null ? NOT_CALIBRATED : 'judge calibrated'}`;
}

function reliabilityText(found: JudgeReliability): string {
  if (found.agreement === null)
    return `${found.judge}: ${found.passes === 1 ? 'one pass, so how far it agrees with itself is not known; judge again with three passes to find out' : 'no item has two usable verdicts'}`;
  const kappa = found.fleissKappa === null ? '' : `, Fleiss' kappa ${number(found.fleissKappa)}`;
  return `${found.judge}: over ${found.passes} passes agreement ${number(found.agreement)}, flip rate ${number(found.flipRate)}${kappa} (${counted(found.nCompared, 'item')})`;
}

function betweenText({ judges, agreement, kappa, nCompared, reason }: JudgesAgreement): string {
  const pair = judges.join(' and ');
  if (agreement === null) return `${pair}: ${inWords(reason)}`;
  return `${pair}: agreement ${number(agreement)}, Cohen's kappa ${number(kappa)} (${counted(nCompared, 'item')})`;
}

function againstCells(found: JudgeAgainstHumans): string[] {
  return [
    number(found.kappa),
    shareText(found.sensitivity),
    shareText(found.specificity),
    String(found.nCompared),
    String(found.nUnclear),
    String(found.nUnusable),
  ];
}

function shareText({ value, interval, n }: JudgeAgainstHumans['sensitivity']): string {
  return value === null ? DASH : `${number(value)} (${range(interval)}, n ${n})`;
}
