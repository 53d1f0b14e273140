import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { chooseTemplate } from './init.ts';

async function choose(...typed: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const chosen = chooseTemplate(input, output);
  for (const line of typed) {
    input.write(line);
    await new Promise((later) => setTimeout(later, 10));
  }
  return { chosen, input, output };
}

it.each([
  ['2\n', 'table'],
  ['questions\n', 'questions'],
  ['\n', 'score'],
])('takes %j', async (typed, name) => {
  expect(await (await choose(typed)).chosen).toMatchObject({ name });
});

it('lists the templates, and asks again when it does not understand', async () => {
  const { chosen, output } = await choose('9\n', 'Compare\n');
  expect(await chosen).toMatchObject({ name: 'compare' });
  const shown = String(output.read());
  expect(shown).toMatch(/1 {2}score +score answers[\s\S]*4 {2}questions/);
  expect(shown).toContain('a number from 1 to 4');
});

it('writes nothing when the input ends', async () => {
  const { chosen, input } = await choose();
  input.end();
  await expect(chosen).rejects.toThrow('nothing was chosen');
});
