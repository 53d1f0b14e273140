import { expect, it } from 'vitest';
import { createRandom } from '../../statistics/random.ts';
import { type BackgroundValues, backgroundGenerator, backgroundScore } from './background-values.ts';
import { normal } from './distributions.ts';
import { drawPeople } from './people.ts';

const N = 20_000;

function drawn(): (BackgroundValues & { readonly sex: string; readonly age: number })[] {
  const draw = backgroundGenerator(['hba1c_percent']);
  const random = createRandom(7);
  return drawPeople(7)
    .take(N)
    .map((person) => ({ ...person, ...draw(random, person, [normal(random)]) }))
    .toArray();
}

const rows = drawn();
const median = (of: number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)]!;

function rankCorrelation(xs: number[], ys: number[]): number {
  const ranks = (values: number[]) => {
    const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
    const found: number[] = [];
    for (const [rank, i] of order.entries()) found[i] = rank / values.length - 0.5;
    return found;
  };
  const [a, b] = [ranks(xs), ranks(ys)];
  return (12 / xs.length) * a.reduce((sum, rank, i) => sum + rank * b[i]!, 0);
}

it('has the published medians of a group', () => {
  const women = rows.filter(({ sex, age }) => sex === 'female' && age >= 45 && age < 65);
  expect(median(women.map(({ hba1cPercent }) => hba1cPercent))).toBe(5.6);
  expect(median(women.map(({ bmi }) => bmi))).toBeCloseTo(28.8, 0);
  expect(Math.abs(median(women.map(({ hdlMgDl }) => hdlMgDl)) - 58)).toBeLessThanOrEqual(1);
  expect(Math.abs(median(women.map(({ sbp }) => sbp)) - 125)).toBeLessThanOrEqual(1);
});

it('keeps the published rank correlations among people of one sex and age', () => {
  const men = rows.filter(({ sex, age }) => sex === 'male' && age < 45);
  const rho = (a: keyof BackgroundValues, b: keyof BackgroundValues) =>
    rankCorrelation(
      men.map((row) => row[a]),
      men.map((row) => row[b]),
    );
  expect(rho('bmi', 'hdlMgDl')).toBeCloseTo(-0.353, 1);
  expect(rho('hba1cPercent', 'bmi')).toBeCloseTo(0.279, 1);
  expect(rho('sbp', 'dbp')).toBeCloseTo(0.475, 1);
  expect(rho('bmi', 'armCircumferenceCm')).toBeCloseTo(0.879, 1);
});

it('gives no impossible person', () => {
  for (const { sbp, dbp, hdlMgDl, totalCholesterolMgDl, haemoglobinGDl, creatinineMgDl } of rows) {
    expect(sbp - dbp).toBeGreaterThanOrEqual(15);
    expect(totalCholesterolMgDl).toBeGreaterThan(hdlMgDl);
    expect(haemoglobinGDl).toBeGreaterThan(9);
    expect(creatinineMgDl).toBeGreaterThan(0.3);
  }
});

it('finds the score of a value and the value of a score', () => {
  const person = { sex: 'male', age: 70 } as const;
  const draw = backgroundGenerator(['sbp', 'dbp']);
  const scores = [backgroundScore('sbp', person, 148), backgroundScore('dbp', person, 82)];
  expect(draw(createRandom(1), person, scores)).toMatchObject({ sbp: 148, dbp: 82 });
  expect(backgroundScore('bmi', person, 28.3)).toBe(0);
  expect(backgroundScore('bmi', person, 99)).toBe(backgroundScore('bmi', person, 44.7));
});
