import { numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import { DASH, scoreText } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { ComparedModel } from './comparison.ts';

/** How much of the context was withheld, from nothing to everything. */
const DOSES: readonly (readonly [withheld: string, words: string])[] = [
  ['none', 'nothing'],
  ['first_third', 'the first third'],
  ['two_thirds', 'the first two thirds'],
  ['all', 'everything'],
];

/** How answers and deferrals change with the evidence that is withheld; null where none was. */
export function evidenceSection(
  models: readonly Pick<ComparedModel, 'backendName' | 'scores' | 'nScored' | 'arm'>[],
  reports: readonly Partial<Pick<RunResult, 'suite'>>[],
): Section | null {
  const doses = reports.map(({ suite }) => String(suite?.withheld ?? 'none'));
  if (doses.every((dose) => dose === 'none')) return null;
  const place = (dose: string) => DOSES.findIndex(([name]) => name === dose);
  const order = models
    .map((_, m) => m)
    .sort((a, b) =>
      models[a]!.backendName === models[b]!.backendName
        ? place(doses[a]!) - place(doses[b]!)
        : models[a]!.backendName.localeCompare(models[b]!.backendName),
    );
  const cell = ({ scores }: (typeof models)[number], name: string) => {
    const found = scores.find((score) => score.name === name);
    return found?.value == null ? DASH : scoreText(found);
  };
  return section({ id: 'evidence', title: 'What withheld evidence changes' }, [
    table(
      'Evidence withheld',
      ['model', 'withheld', ...numbers('accuracy', 'abstention', 'n')],
      order.map((m) => [
        [models[m]!.backendName, models[m]!.arm].filter(Boolean).join(', '),
        DOSES[place(doses[m]!)]?.[1] ?? doses[m]!,
        cell(models[m]!, 'accuracy'),
        cell(models[m]!, 'abstention_rate'),
        String(models[m]!.nScored),
      ]),
    ),
    paragraph(
      'A careful reader answers less as evidence goes, and is not less often right where it answers. Not every question needs its context, so whether deferring is right is claimed for few of them.',
      { tone: 'small' },
    ),
  ]);
}
