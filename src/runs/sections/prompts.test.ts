import { describe, expect, it } from 'vitest';
import { extras, reportOf } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { prompts } from './prompts.ts';

const textOf = (templates: typeof extras.prompt_templates) =>
  htmlOf(prompts(reportOf({ extras: { ...extras, prompt_templates: templates } })).blocks);

describe('prompts', () => {
  it('shows the messages of a template behind its name', () => {
    const text = htmlOf(prompts(reportOf()).blocks);
    expect(text).toContain('<summary>Template 1 (batch)</summary>');
    expect(text).toContain('<pre>State the stage.\n{{patient_data}}</pre>');
  });

  it('shows prompts of any other form', () => {
    expect(textOf([{ prompt_mode: 'single', prompt: 'Say <yes>.' }])).toContain(
      '<pre>Say &lt;yes&gt;.</pre>',
    );
    expect(textOf([{ prompt_mode: 'single', prompt: { a: 1 } }])).toContain('&quot;a&quot;: 1');
  });

  it('shows twenty, and says how many there are', () => {
    const text = textOf(Array.from({ length: 30 }, (_, i) => ({ prompt_mode: 'single', prompt: `${i}` })));
    expect(text.match(/<details>/g)).toHaveLength(20);
    expect(text).toContain('20 of 30 templates are shown');
  });

  it('says so when there is none', () => {
    expect(textOf([])).toContain('No prompt was captured');
  });
});
