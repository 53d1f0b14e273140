import { type AddressPath, addressAt, type BuiltAt, type ParamsAt } from './addresses.ts';
import { hidePaths } from './hide-paths.ts';
import { type OpenRuns, openRuns, type ViewedPlace } from './open-runs.ts';

/** The payloads of all addresses, built from run files. */
export interface ViewedRuns {
  readonly files: OpenRuns;
  get<Path extends AddressPath>(path: Path, params: ParamsAt<Path>): BuiltAt<Path>;
  /** The same payload if it takes no time, however long the run is; null if all its rows must be read first. */
  quick<Path extends AddressPath>(path: Path, params: ParamsAt<Path>): BuiltAt<Path> | null;
  close(): void;
}

export function viewedRuns(place: ViewedPlace): ViewedRuns {
  const files = openRuns(place);
  const quick = <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
    hidePaths(files.folder, () => addressAt(path).quick?.(files, params as never) ?? null);
  return {
    files,
    quick: (path, params) => quick(path, params) as BuiltAt<typeof path> | null,
    get: (path, params) =>
      (quick(path, params) ??
        hidePaths(files.folder, () => addressAt(path).build(files, params as never))) as BuiltAt<typeof path>,
    close: () => files.close(),
  };
}
