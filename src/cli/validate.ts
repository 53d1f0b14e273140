import { Command } from '@commander-js/extra-typings';
import { problemText, type UciSummary, validateUciFile } from '../suites/ckd/index.ts';
import { loadTableSuite } from '../suites/index.ts';

const MOST_LISTED = 12;

/** `krisis validate FILE`: everything that is wrong with a data file, at once. */
export function validateCommand() {
  return new Command('validate')
    .description(
      'check a UCI CKD file (CSV or ARFF), or a table suite (.yaml), and print all problems at once',
    )
    .argument('<file>', 'the file')
    .option('--json', 'one JSON object on standard output')
    .action(async (file, { json }) => {
      if (/\.ya?ml$/i.test(file)) {
        const records = await (await loadTableSuite(file)).load();
        process.stdout.write(
          json
            ? `${JSON.stringify({ ok: true, rows: records.length, problems: [] })}\n`
            : `${file}: ${records.length} records, no problems\n`,
        );
        return;
      }
      const { problems, repairs, screened, summary } = await validateUciFile(file);
      if (problems.length > 0) process.exitCode = 2;
      if (json) {
        process.stdout.write(
          `${JSON.stringify({ ok: problems.length === 0, rows: summary.rows, problems, repairs, screened, summary: summaryObject(summary) }, null, 2)}\n`,
        );
        return;
      }
      const lines = [
        `${file}: ${summary.rows} rows (${summary.classCounts.ckd} ckd, ${summary.classCounts.notckd} notckd), ${summary.format.toUpperCase()}`,
        `missing: ${summary.missingCells} of ${summary.cells} cells${summary.idsAssigned ? '; no id column: rows are numbered' : ''}`,
        ...section(
          'mended',
          repairs.map(({ line, message }) => `line ${line}: ${message}`),
        ),
        ...section(
          'set to missing as implausible',
          screened.map(({ line, column, value, reason }) => `line ${line}: ${column} = ${value} (${reason})`),
        ),
        ...(problems.length === 0
          ? ['no problems']
          : [
              `${problems.length} problem${problems.length === 1 ? '' : 's'}:`,
              ...problems.map((problem) => `  ${problemText(problem)}`),
            ]),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
    });
}

function summaryObject(summary: UciSummary) {
  return {
    format: summary.format,
    rows: summary.rows,
    class_counts: summary.classCounts,
    columns: summary.columns,
    cells: summary.cells,
    missing_cells: summary.missingCells,
    screened_cells: summary.screenedCells,
    trimmed_cells: summary.trimmedCells,
    ids_assigned: summary.idsAssigned,
  };
}

function section(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const more =
    items.length > MOST_LISTED ? [`  and ${items.length - MOST_LISTED} more (--json lists them)`] : [];
  return [`${title}:`, ...items.slice(0, MOST_LISTED).map((item) => `  ${item}`), ...more];
}
