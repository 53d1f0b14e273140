import { plainLine } from '../../../core/index.ts';

const MAX_WHAT = 300;

/** Something that a run file says is ours. */
interface Kept {
  /** What it is called in messages. */
  readonly what: string;
  /** Whether the provider says that it is ours; null where it is gone. */
  isOwn(): Promise<boolean | null>;
  drop(): Promise<void>;
}

/** Deletes what is ours, one after the other, and returns what is left. */
export async function removeOwn(all: readonly Kept[]): Promise<string[]> {
  const left: string[] = [];
  for (const { what: given, isOwn, drop } of all) {
    const what = plainLine(given, MAX_WHAT);
    try {
      const own = await isOwn();
      if (own === false) left.push(`${what}, which is not known to be of this run`);
      else if (own) await drop();
    } catch {
      left.push(what);
    }
  }
  return left;
}
