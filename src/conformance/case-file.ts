import { z } from 'zod';
import { KrisisError, whyUnreadable } from '../core/errors.ts';
import { readRegularFile } from '../core/regular-file.ts';

const caseSchema = z.object({
  id: z.string(),
  metric: z.string(),
  bundle: z.string().optional(),
  rows: z.array(z.record(z.string(), z.unknown())).nullish(),
  inputs: z.record(z.string(), z.unknown()).nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
  expected: z.unknown(),
  tolerance: z.number().nullish(),
  accept: z.array(z.unknown()).nullish(),
});

const fileSchema = z.object({ cases: z.array(caseSchema) });

/** One reference case: the name of a function, its input and the expected output. */
export type ConformanceCase = z.infer<typeof caseSchema>;

/** Reads a file of reference cases. */
export async function readCaseFile(path: string): Promise<ConformanceCase[]> {
  const problem = (text: string, cause?: unknown) =>
    new KrisisError(`${path}: ${text}`, { cause, value: path, code: 'ERR_CASE_FILE' });
  const bytes = await readRegularFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw problem(whyUnreadable(cause), cause);
  });
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw problem(`not JSON: ${(cause as Error).message}`, cause);
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw problem(
      `${issue.path.join('.') || 'file'}: ${issue.message}; expected {"cases": [{id, metric, rows or inputs, params, expected, tolerance}]}`,
    );
  }
  if (parsed.data.cases.length === 0) throw problem('"cases" is empty; there is nothing to run');
  return parsed.data.cases;
}
