import { afterEach, describe, expect, it } from 'vitest';
import { faultText } from './errors.ts';
import { forgetSensitivity, noteSensitivity } from './protected-data.ts';

afterEach(() => {
  forgetSensitivity();
  delete process.env.KRISIS_DEBUG;
});

const fault = () => new RangeError('Quibblewick, Zoltan\n    at Quibblewick (file:///zoltan)');

describe('faultText', () => {
  it('has the text of the error when nothing is protected', () => {
    noteSensitivity({ sensitivity: 'public' });
    expect(faultText(new Error('no \u001b[31mluck'))).toMatch(
      /^krisis: internal error: no luck\nThis is a bug in krisis/,
    );
  });

  it('has its kind alone when data are protected', () => {
    noteSensitivity({});
    expect(faultText(fault())).toMatch(/^krisis: internal error: RangeError; its text is withheld/);
    expect(faultText('Quibblewick')).not.toContain('Quibblewick');
    expect(faultText(Object.assign(new Error('x'), { name: 'Quibblewick' }))).not.toContain('Quibblewick');
  });

  it('shows places in the code on request, and nothing that the message put among them', () => {
    noteSensitivity({ sensitivity: 'protected' });
    process.env.KRISIS_DEBUG = '1';
    expect(faultText(fault())).toMatch(/ {4}at .*fault-text\.test\.ts/);
    expect(faultText(fault())).not.toMatch(/quibblewick|zoltan/i);
  });
});
