/** Prints to standard output: with `--json` one object, otherwise text. */
export function print(json: boolean | undefined, object: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(object, null, 2)}\n` : text);
}
