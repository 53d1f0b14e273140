import { describe, expect, it } from 'vitest';
import { ckdTask } from './tasks.ts';

const options = { source: 'cohort', scale: 'five', deferAbove: 0.2 } as const;
const all = {
  'detection on the cohort': ckdTask('detection', options).task.arms,
  'detection on the UCI file': ckdTask('detection', { ...options, source: 'uci' }).task.arms,
  'staging in five': ckdTask('staging', options).task.arms,
  'staging in six': ckdTask('staging', { ...options, scale: 'six' }).task.arms,
  progression: ckdTask('progression', options).task.arms,
};
const NEARNESS: Record<string, string> = {
  detection: 'Values close to a limit are no reason to abstain',
  staging: 'exceeds 20 %',
  progression: 'when eGFR changes by 17 to 33 %',
};
const said = (arms: (typeof all)[keyof typeof all], arm: string) => arms[arm]!.instructions;

describe.each(Object.entries(all))('%s', (name, arms) => {
  it.each(Object.keys(arms).filter((arm) => arm !== 'instructed'))(
    'gives no threshold, margin or rule away in %s',
    (arm) => {
      expect(said(arms, arm).replace('CKD-EPI 2021 creatinine equation', '')).not.toMatch(
        /CKD-EPI|equation|below|at least|\bor more\b|under 18|pregnan|dialysis|missing|mL\/min|mg\/g|%|\d{2}/i,
      );
      expect(said(arms, arm)).toMatch(/ Abstain when the data do not support a safe answer\.$/);
    },
  );

  it('asks the same question in every arm', () => {
    const question = said(arms, 'natural').replace(/ Abstain when .*/, '');
    expect(question).toMatch(/^(Decide|State) .{40,}/);
    for (const { instructions } of Object.values(arms)) expect(instructions.startsWith(question)).toBe(true);
  });

  it('states the whole rule in instructed: the equation, where it does not apply, and what nearness to a line means', () => {
    const text = said(arms, 'instructed');
    expect(text).toContain('CKD-EPI 2021');
    for (const word of ['under 18 years', 'pregnancy', 'dialysis', 'acute kidney injury', 'amputation'])
      expect(text).toContain(word);
    expect(text).toMatch(/muscle mass (is )?far from usual/);
    expect(text).toContain(NEARNESS[name.split(' ')[0]!]);
    expect(text).not.toContain('undefined');
  });
});

describe('the rules that instructed arms give', () => {
  it('are those of the labels in detection', () => {
    const cohort = said(all['detection on the cohort'], 'instructed');
    const uci = said(all['detection on the UCI file'], 'instructed');
    for (const text of [cohort, uci]) {
      expect(text).toContain('eGFR is below 60 mL/min/1.73 m2');
      expect(text).toContain('or on maintenance dialysis');
      // assessDetection lets albuminuria settle nothing for these
      expect(text).toContain('Abstain in pregnancy and in acute kidney injury.');
      expect(text).toMatch(/Abstain under 18 years, .* unless albumin alone settles that it is present/);
    }
    expect(cohort).toContain('ratio of 30 mg/g or more');
    expect(cohort).toContain('red cells in the urine');
    expect(uci).not.toContain('red cells');
    expect(uci).toContain('dipstick of 1 or more');
    expect(uci).not.toContain('mg/g');
  });

  it('name the equation in every arm of staging, and only there in the natural arm', () => {
    for (const arms of [all['staging in five'], all['staging in six']])
      for (const arm of Object.keys(arms)) {
        expect(said(arms, arm)).toContain('CKD-EPI 2021 creatinine equation');
        expect(said(arms, arm)).toContain('would record for this person');
      }
    for (const name of ['detection on the cohort', 'detection on the UCI file', 'progression'] as const)
      expect(said(all[name], 'natural')).not.toContain('CKD-EPI');
    expect(said(all['staging in five'], 'instructed')).toContain(
      'Doubt between 1 and 2 is no reason to abstain',
    );
  });

  it('are the edges of the scale in staging', () => {
    const five = said(all['staging in five'], 'instructed');
    const six = said(all['staging in six'], 'instructed');
    expect(five).toContain('3: 30 to 59; 4: 15 to 29; 5: below 15');
    expect(five).not.toMatch(/3a|3b|45/);
    expect(six).toContain('3a: 45 to 59; 3b: 30 to 44; 4: 15 to 29; 5: below 15');
    expect(said(all['staging in six'], 'natural')).toContain('1, 2, 3a, 3b, 4 or 5');
  });

  it('are those of KDIGO in progression, and a last visit without creatinine is no reason to abstain', () => {
    const text = said(all.progression, 'instructed');
    expect(text).toContain(
      'falls by 5 mL/min/1.73 m2 or more per year, or by 30 % or more, or by 25 % or more into',
    );
    expect(text).toContain('Stable: it changes by less than 20 % and by less than 5 per year.');
    expect(text).toContain('Take the age at each visit.');
    expect(text).toContain('fewer than three values');
    expect(text).toContain('span less than a year');
    expect(text).not.toContain('creatinine, age or sex is missing');
  });
});
