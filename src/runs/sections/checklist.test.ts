import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { extras, reportOf } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { checklist } from './checklist.ts';

const itemsOf = (report: ReturnType<typeof reportOf>) => {
  const { document } = parseHTML(`<html><body>${htmlOf(checklist(report).blocks)}</body></html>`);
  return new Map(
    [...document.querySelectorAll('tbody tr:not(.group)')].map((line) => {
      const [asks, fromRun, authors] = [...line.children].map(({ textContent }) => textContent!);
      return [asks!, { fromRun: fromRun!, authors: authors! }];
    }),
  );
};

describe('checklist', () => {
  it('answers every item from the run or leaves it to the authors', () => {
    const items = [...itemsOf(reportOf()).values()];
    expect(items.length).toBeGreaterThan(25);
    for (const { fromRun, authors } of items) expect(fromRun === '–' && authors === '').toBe(false);
  });

  it('takes answers from the data of the run', () => {
    const items = itemsOf(reportOf());
    expect(items.get('Reference standard: who or what says which answer is right')!.fromRun).toBe(
      'reference standard: two readers',
    );
    expect(items.get('Model: provider, exact version, date of access')!.fromRun).toBe(
      'demo/model; named by the provider: model-2026-01-01; started 2026-03-01 12:30 UTC',
    );
    expect(items.get('Computing time and cost')!.fromRun).toBe('4,800 tokens; 0.0421 US dollars; 12.5 s');
  });

  it('invents nothing for a run that says nothing', () => {
    const bare = reportOf({
      figures: null,
      suite: {},
      suiteHash: null,
      task: null,
      arm: null,
      primaryEndpoint: null,
      sensitivity: null,
      createdAt: null,
      krisisVersion: null,
      seed: null,
      parameters: {},
      egress: null,
      warnings: [],
      extras: {
        ...extras,
        batch_size: null,
        token_total: null,
        cost_usd: null,
        elapsed_seconds: null,
        prompt_templates: [],
        model_ids: [],
      },
      card: { ...reportOf({}, [], {}).card, scores: [] },
    });
    const said = [...itemsOf(bare)].filter(([, { fromRun }]) => fromRun !== '–');
    expect(said.map(([asks, { fromRun }]) => [asks, fromRun])).toEqual([
      ['Title and abstract name the model, the task and the population', 'model demo/model'],
      ['Model: provider, exact version, date of access', 'demo/model'],
      ['Cases in a prompt, and how often each was asked', 'asked once'],
    ]);
  });

  it('says of a simulated model that no claim can rest on it', () => {
    const items = itemsOf(reportOf({ extras: { ...extras, simulated: true } }));
    expect(items.get('Model: provider, exact version, date of access')!.fromRun).toContain('simulated');
  });
});
