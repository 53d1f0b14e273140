import { z } from 'zod';
import { endpointSchema } from '../../src/analyses/comparison/comparison.ts';
import { count, fileForm } from '../../src/core/codec.ts';
import { type DocumentName, schemaAddress } from '../../src/core/json-schema.ts';
import { metricSchema } from '../../src/metrics/scorecard.ts';
import { code, NOTE, table } from './markdown.ts';

const text = z.string();
const nullable = z.string().nullable();
const anything = z.looseObject({});
const list = z.array(anything);
const warnings = z.array(z.looseObject({ code: text, message: text }));
const gates = z.array(z.looseObject({ text, status: z.enum(['pass', 'fail', 'undecided']), message: text }));
const ledger = z.record(z.string(), count);
const metrics = z.record(z.string(), fileForm(metricSchema));
const endpoints = z.record(z.string(), fileForm(endpointSchema));

const common = { warnings, failures: list, unusable_replies: list };
const oneRun = z.looseObject({
  run_file: text,
  status: text,
  suite: anything,
  ledger,
  ...common,
  execution: anything,
});
const labelRun = oneRun.extend({ model: text, arm: nullable, metrics, subgroups: list, method: anything });
const questionRun = oneRun.extend({
  backend_name: text,
  kind: z.literal('questions'),
  n_questions: count,
  traits: list,
});
const exit = z.object({ code: z.int(), because: text });

/** Every document with what it is and its schema, from the schemas that the code checks its values by. */
const DOCUMENTS: Readonly<Record<DocumentName, { readonly title: string; readonly schema: z.ZodType }>> = {
  run: {
    title: '`krisis run --json`: one run, or several under `runs`; a plan with `--dry-run`',
    schema: z.union([
      labelRun.extend({ gates: gates.optional(), exit: exit.optional() }),
      questionRun.extend({ gates: gates.optional(), exit: exit.optional() }),
      z.looseObject({
        runs: z.array(z.union([labelRun, questionRun])),
        gates: gates.optional(),
        exit: exit.optional(),
      }),
      z.looseObject({ dry_run: z.literal(true), suite: text, plan: list }),
    ]),
  },
  score: {
    title: '`krisis score --json`',
    schema: z.looseObject({
      schema_version: text,
      task: nullable,
      n: count,
      ledger,
      metrics,
      subgroups: list,
      warnings,
      method: anything,
      gates: gates.optional(),
    }),
  },
  report: {
    title: '`krisis report --format json`',
    schema: z.looseObject({
      schema_version: text,
      backend_name: text,
      suite: anything,
      status: text,
      run_file_verdict: nullable,
      ...common,
      ledger,
      metrics: z.record(z.string(), anything),
      provenance: anything,
      n_evaluation_results: count.optional(),
      evaluation_results: list.optional(),
      gates: gates.optional(),
    }),
  },
  comparison: {
    title: '`krisis compare --json`',
    schema: z.looseObject({
      schema_version: text,
      suite: text,
      models: z.array(z.looseObject({ metrics: z.record(z.string(), anything) })),
      baseline: text,
      comparisons: z.array(z.looseObject({ endpoints: endpoints.optional(), flips: anything.optional() })),
      warnings,
      method: anything,
      gates: gates.optional(),
    }),
  },
  analysis: { title: '`krisis threshold`, `drift` and other analyses with `--json`', schema: anything },
  plan: {
    title: '`krisis plan --json`',
    schema: z.looseObject({
      gates: list,
      non_inferior: anything.nullable(),
      suite: nullable,
      differences: list,
      costs: list,
    }),
  },
  check: {
    title: '`krisis check --json`',
    schema: anything,
  },
  list: {
    title: '`krisis list --json`',
    schema: z.looseObject({
      runs: z.array(
        z.looseObject({
          run_file: text,
          n: count,
          suite: text,
          model: text,
          status: text,
          tags: z.array(text),
        }),
      ),
      unreadable: z.array(z.unknown()),
    }),
  },
  note: {
    title: '`krisis runs note --json`',
    schema: z.looseObject({
      run_file: text,
      name: nullable,
      note: nullable,
      tags: z.array(text),
      hidden: z.boolean(),
    }),
  },
  verify: {
    title: '`krisis runs verify --json`',
    schema: z.looseObject({
      runs: z.array(z.looseObject({ run_file: text, verdict: text.optional(), error: text.optional() })),
    }),
  },
  removed: { title: '`krisis runs rm --json`', schema: z.object({ $schema: text, removed: z.array(text) }) },
  import: { title: '`krisis runs import --json`', schema: anything },
  bulk: { title: '`krisis ops bulk list --json`', schema: z.looseObject({ runs: list }) },
  cache: { title: '`krisis ops cache` and `ops waits` with `--json`', schema: anything },
  conformance: {
    title: '`krisis conformance --json`',
    schema: z.looseObject({ passed: count, failed: count, failures: list }),
  },
  judge: {
    title: '`krisis judge --json`',
    schema: z.looseObject({ judge: text, passed: z.boolean(), n: count, n_right: count, cases: list }),
  },
  review: { title: '`krisis review status --json`', schema: anything },
  workers: {
    title: '`krisis ops workers --json`',
    schema: z.looseObject({ workers: list, n_ignored: count }),
  },
};

/** The JSON Schema of a document, as it is published. */
function schemaText(name: DocumentName): string {
  const { title, schema } = DOCUMENTS[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const named = { $schema, $id: schemaAddress(name), title: title.replaceAll('`', ''), ...rest };
  return `${JSON.stringify(named, null, 2)}\n`;
}

const NAMES = Object.keys(DOCUMENTS) as DocumentName[];

/** The files of schemas, by name. */
export const SCHEMA_FILES = Object.fromEntries(
  NAMES.map((name) => [`schemas/${name}.json`, async () => schemaText(name)]),
);

/** Which commands print JSON, and where its schema is. */
export async function jsonPage(): Promise<string> {
  return [
    '# JSON output',
    '',
    NOTE,
    '',
    'Every JSON document that Krisis prints names its JSON Schema under `$schema`. The schemas come with the package, in `docs/schemas`. Keys are in snake_case, an undefined number is null with a `reason`, and new keys may appear at any time: ignore those that you do not know.',
    '',
    ...table(
      ['document', 'schema', 'keys that are always there'],
      NAMES.map((name) => [
        DOCUMENTS[name].title,
        `[${name}.json](schemas/${name}.json)`,
        requiredKeys(DOCUMENTS[name].schema).map(code).join(', '),
      ]),
    ),
    '',
    'A score has `value`, `reason`, `interval`, `bounds`, `n_successes`, `n_evaluated`, `n_abstained`, `breakdown` and `details`. `value` is `n_successes / n_evaluated` where the score is a share. `bounds` say how far failed calls could move it.',
    '',
  ].join('\n');
}

function requiredKeys(schema: z.ZodType): string[] {
  const { required, anyOf = [] } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const [first] = anyOf as readonly { readonly required?: string[] }[];
  return (required ?? first?.required ?? []).filter((key) => key !== '$schema');
}
