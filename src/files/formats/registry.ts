import type { ResultFormat } from './format.ts';
import { HELM_STATE, INSPECT_SAMPLE, INSPECT_START, type Source } from './source.ts';

/** The files of another tool: what they look like, and the reader, which is loaded for such a file only. */
export interface KnownFormat {
  /** Whether a source has the shape of this format. */
  recognise(source: Source): boolean;
  load(): Promise<ResultFormat>;
}

/** The readers of other tools' files, in the order in which they are tried. */
export const FORMATS: readonly KnownFormat[] = [
  {
    recognise: ({ shape, names }) =>
      shape.has('eval.task') ||
      (shape.has('eval') && shape.has('samples')) ||
      names.includes(INSPECT_START) ||
      (names.includes('header.json') && names.some((name) => INSPECT_SAMPLE.test(name))),
    load: async () => (await import('./inspect.ts')).inspect,
  },
  {
    recognise: ({ shape }) => shape.has('doc_id') && (shape.has('filtered_resps') || shape.has('resps')),
    load: async () => (await import('./lm-eval.ts')).lmEval,
  },
  {
    recognise: ({ shape, names }) =>
      names.includes(HELM_STATE) || (shape.has('request_states') && shape.has('adapter_spec')),
    load: async () => (await import('./helm.ts')).helm,
  },
  {
    recognise: ({ shape }) =>
      shape.has('results.*.promptIdx') ||
      shape.has('results.results') ||
      (shape.has('evalId') && shape.has('results')),
    load: async () => (await import('./promptfoo.ts')).promptfoo,
  },
  {
    recognise: ({ shape }) =>
      shape.has('schema_version') &&
      (shape.has('sample_id') || (shape.has('model_info') && shape.has('evaluation_results'))),
    load: async () => (await import('./every-eval-ever.ts')).everyEvalEver,
  },
  {
    recognise: ({ shape }) =>
      shape.has('format_version') &&
      (shape.has('results.*.metadata') || (shape.has('metadata') && shape.has('results'))),
    load: async () => (await import('./karenina.ts')).karenina,
  },
];
