import { type AddressPath, addressAt, type BuiltAt, type ParamsAt, runsNamed } from './addresses.ts';
import type { RunPayload, RunsPayload } from './api.ts';
import { hidePaths } from './hide-paths.ts';
import { hidesText, type OpenOptions, type OpenRuns, openRuns, type ViewedPlace } from './open-runs.ts';
import { quickRunPayload, runPayload } from './run-payload.ts';
import { withoutNotes } from './withhold-text.ts';

export type ViewedRuns = ReturnType<typeof viewedRuns>;

/** The payloads of all addresses, built from run files. */
export function viewedRuns(place: ViewedPlace, options: OpenOptions = {}) {
  const files = openRuns(place, options);
  /** The same payload if it takes no time, however long the run is; null if all its rows must be read first. */
  const quick = <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
    hidePaths(files.folders, () => {
      const found = addressAt(path).quick?.(files, params as never) ?? null;
      return found && shown(files, { path, params, payload: found, buildRun: quickRunPayload });
    }) as BuiltAt<Path> | null;
  const build = <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
    hidePaths(files.folders, () => {
      const payload = addressAt(path).build(files, params as never);
      return shown(files, { path, params, payload, buildRun: runPayload });
    }) as BuiltAt<Path>;
  return {
    files,
    quick,
    get: <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
      quick(path, params) ?? build(path, params),
    close: files.close,
  };
}

interface Built {
  readonly path: AddressPath;
  readonly params: object;
  readonly payload: unknown;
  readonly buildRun: (files: OpenRuns, run: { readonly id: string }) => RunPayload | null;
}

/** What may be shown of a payload; null if it takes too long to find out. */
function shown(files: OpenRuns, { path, params, payload, buildRun }: Built): unknown {
  if (!files.mayWithhold) return payload;
  if (path === 'runs') {
    const list = payload as RunsPayload;
    return { ...list, runs: list.runs.map((run) => (hidesText(run) ? withoutNotes(run) : run)) };
  }
  const { withhold } = addressAt(path);
  const id = runsNamed(params).find((one) => files.withholds(files.find(one)));
  if (withhold === undefined || id === undefined) return payload;
  const run = buildRun(files, { id });
  return run && withhold(payload as never, run);
}
