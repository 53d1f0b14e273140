import { describe, expect, it } from 'vitest';
import { ANALYSIS_COMMANDS } from '../analyses/registry.ts';
import { COMMANDS } from './commands.ts';

describe('commands of analyses', () => {
  it.each(Object.keys(ANALYSIS_COMMANDS))('%s is listed in the help', (name) => {
    expect(COMMANDS[name]?.usage).toBe('[options] <run>');
  });

  it('make flags of the options that have a description', async () => {
    const { options } = await COMMANDS.threshold!.load([]);
    const flags = options.map(({ flags }) => flags);
    expect(flags).toEqual(
      expect.arrayContaining(['--risk <share>', '--seed <n>', '--calibration-share <share>']),
    );
    expect(flags.join()).not.toContain('--recalibrate');
  });
});
