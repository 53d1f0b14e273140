import { type AddressPath, addressAt, type BuiltAt, type ParamsAt } from './addresses.ts';
import { hidePaths } from './hide-paths.ts';
import { openRuns, type ViewedPlace } from './open-runs.ts';

export type ViewedRuns = ReturnType<typeof viewedRuns>;

/** The payloads of all addresses, built from run files. */
export function viewedRuns(place: ViewedPlace) {
  const files = openRuns(place);
  /** The same payload if it takes no time, however long the run is; null if all its rows must be read first. */
  const quick = <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
    hidePaths(
      files.folder,
      () => addressAt(path).quick?.(files, params as never) ?? null,
    ) as BuiltAt<Path> | null;
  const build = <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
    hidePaths(files.folder, () => addressAt(path).build(files, params as never)) as BuiltAt<Path>;
  return {
    files,
    quick,
    get: <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
      quick(path, params) ?? build(path, params),
    close: files.close,
  };
}
