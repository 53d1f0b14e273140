import type { JudgeReliability, JudgesAgreement, QuestionReport } from '../../results/index.ts';
import type { JudgeAgainstHumans } from '../../rubrics/index.ts';

/** What stands beside every score until people have checked the judge. */
export const NOT_CALIBRATED = 'judge not calibrated';

/** Who judged, in a few words. */
export function judgeText({ judge }: QuestionReport): string {
  if (judge.names.length === 0) return 'not judged yet';
  const names = judge.names.map((name) => {
    const passes = judge.judges.find((present) => present.name === name)!.passes;
    return `${name} (${passes === 1 ? '1 pass' : `${passes} passes`})`;
  });
  return `judged by ${names.join(', ')}; ${judge.calibration === null ? NOT_CALIBRATED : 'judge calibrated'}`;
}

/** Agreement of a judge with itself, in a sentence. */
export function reliabilityText(found: JudgeReliability): string {
  if (found.agreement === null)
    return `${found.judge}: ${found.passes === 1 ? 'one pass, so how far it agrees with itself is not known (krisis judge --passes 3 asks again)' : 'no item has two usable verdicts'}`;
  const kappa = found.fleissKappa === null ? '' : `, Fleiss' kappa ${found.fleissKappa.toFixed(3)}`;
  return `${found.judge}: over ${found.passes} passes agreement ${found.agreement.toFixed(3)}, flip rate ${found.flipRate!.toFixed(3)}${kappa} (${items(found.nCompared)})`;
}

/** Agreement of two judges, in a sentence. */
export function betweenText({ judges, agreement, kappa, nCompared, reason }: JudgesAgreement): string {
  const pair = judges.join(' and ');
  if (agreement === null) return `${pair}: ${words(reason)}`;
  return `${pair}: agreement ${agreement.toFixed(3)}, Cohen's kappa ${number(kappa)} (${items(nCompared)})`;
}

/** What a judge against people comes to: the cells of a line of a table. */
export function againstCells(found: JudgeAgainstHumans): string[] {
  return [
    number(found.kappa),
    shareText(found.sensitivity),
    shareText(found.specificity),
    String(found.nCompared),
    String(found.nUnclear),
    String(found.nUnusable),
  ];
}

export const AGAINST_TITLES = ['kappa', 'sensitivity', 'specificity', 'n', 'unclear', 'unusable'];

function shareText({ value, interval, n }: JudgeAgainstHumans['sensitivity']): string {
  if (value === null) return '-';
  return `${value.toFixed(3)} (${interval!.lower.toFixed(3)} to ${interval!.upper.toFixed(3)}, n ${n})`;
}

function items(n: number): string {
  return n === 1 ? '1 item' : `${n} items`;
}

function number(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}

function words(reason: string | null): string {
  return (reason ?? 'unknown').replaceAll('_', ' ');
}
