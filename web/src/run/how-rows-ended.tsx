import { whole } from '../../../src/viewer/browser.ts';
import { LedgerBar, LedgerLegend } from '../parts/ledger.tsx';
import { duration, money } from '../parts/words.ts';
import type { PanelProps } from './panel.ts';

export function HowRowsEnded({ payload: { run } }: PanelProps) {
  return (
    <section aria-labelledby="ledger-title">
      <h2 id="ledger-title">How {whole(run.n)} rows ended</h2>
      <LedgerBar of={run} />
      <LedgerLegend of={run} id={run.id} />
      <p className="quiet small">
        Cost {money(run.cost_usd)}, time {duration(run.elapsed_seconds)}. Rows that failed or were not run are
        not scored; invalid and refused replies count as wrong.
      </p>
    </section>
  );
}
