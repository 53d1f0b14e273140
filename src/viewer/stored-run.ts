import { z } from 'zod';
import { readExtras, storedScores } from '../results/index.ts';
import { type Manifest, RunFile } from '../store/index.ts';
import type { RunLine, RunPayload } from './api.ts';
import { inReadingOrder } from './in-reading-order.ts';
import { scoreLine } from './run-line.ts';

/** A run whose end wrote down all that a page says of it. */
export interface StoredRun {
  readonly payload: RunPayload;
  readonly repeats: number;
}

const texts = z.array(z.string());
const overviewSchema = z.object({
  figures: z.custom<NonNullable<RunPayload['figures']>>(
    (value) => typeof value === 'object' && value !== null,
  ),
  confidence_steps: z.array(z.object({ threshold: z.number(), n: z.number(), errors: z.number() })),
  n_scored: z.int().min(0),
  facets: z
    .object({
      outcome: texts,
      label: texts,
      prediction: texts,
      stratum: texts.optional(),
      // The name that version 0.1 wrote.
      stage: texts.default([]),
      reason: texts,
    })
    .transform(({ stratum, stage, ...rest }) => ({ ...rest, stage: stratum ?? stage })),
  subgroups: z.record(z.string(), texts),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});

/**
 * The page of a run from what its end wrote down: nothing is counted again, so a long run opens as fast as a short one. Null where the file does not say it all (the run has not ended, or
 * was imported, or is of an older version): then the rows must be read.
 */
export function storedRun(path: string, run: RunLine): StoredRun | null {
  if (run.kind !== 'labels' || run.status === 'running') return null;
  const file = RunFile.read(path);
  try {
    const manifest = file.manifest();
    const overview = overviewSchema.safeParse(manifest.overview);
    if (!overview.success || manifest.status === 'running' || run.imported) return null;
    const repeats = repeatsOf(manifest);
    const extras = readExtras(file, manifest, { repeats, promptModes: [] });
    const payload: RunPayload = {
      run,
      scores: [...storedScores(manifest).values()].map(scoreLine),
      ...overview.data,
      labels: labelsOf(manifest),
      ...inReadingOrder(overview.data),
      execution: extras,
      provenance: provenanceOf(manifest, extras.simulated),
      templates: extras.prompt_templates,
      hides_text: run.sensitivity === 'protected',
    };
    return { payload, repeats };
  } finally {
    file.close();
  }
}

function repeatsOf(manifest: Manifest): number {
  return manifest.identity.repeats;
}

function labelsOf(manifest: Manifest): string[] {
  return (manifest.task?.labels ?? []).map(String);
}

/** Where a run comes from, as reports have it; the manifest has the same names. */
function provenanceOf(manifest: Manifest, simulated: boolean): RunPayload['provenance'] {
  const names = [
    'suite_name',
    'krisis_version',
    'created_at',
    'seed',
    'sensitivity',
    'egress',
    'arm',
    'instructions',
    'primary_endpoint',
    'stopped_because',
  ] as const;
  return {
    ...Object.fromEntries(names.map((name) => [name, manifest[name]])),
    task: manifest.task && withoutStratum(manifest.task),
    parameters: manifest.parameters ?? {},
    suite_hash: manifest.identity.suite_hash,
    simulated,
    repeats: repeatsOf(manifest),
    imported: null,
    method: manifest.scoring_method ?? null,
  };
}

function withoutStratum({ stratum: _, ...task }: NonNullable<Manifest['task']>) {
  return task;
}
