import { RunFile } from '../../store/index.ts';
import { noteSensitivity } from '../protected-data.ts';
import { type CheckedFile, problemsIn } from './checked-file.ts';

/** Opens a run file. Whether it was changed is for `krisis verify`. */
export function checkRunFile(path: string): CheckedFile {
  const kind = 'run';
  try {
    return RunFile.use(path, (file) => {
      const manifest = file.manifest();
      noteSensitivity(manifest);
      const n = file.records.count() * manifest.identity.repeats;
      const nRows = [...file.rows.countStates()].reduce((sum, [, count]) => sum + count, 0);
      const { suiteName: suite, model } = manifest;
      return {
        kind,
        problems: [],
        text: [
          `A run file: ${suite ?? 'an unknown suite'}, ${model ?? 'an unknown model'}, ${file.status()}, ${nRows} of ${n} rows. krisis verify ${path} checks whether it was changed.`,
        ],
        json: { suite, model, status: file.status(), rows: nRows },
      };
    });
  } catch (error) {
    const { problems, n } = problemsIn(error);
    return { kind, problems, nProblems: n, text: ['A run file, or another database.'], json: {} };
  }
}
