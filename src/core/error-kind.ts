/** The kind of an error where it is one of the language's own or of Krisis's, else `Error`: a name of another kind may hold anything. */
export function errorKind(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return /^(Aggregate|Eval|Krisis|Range|Reference|Syntax|Type|URI)?Error$/.test(name) ? name : 'Error';
}

/** The lines of an error's trace that name places in the code, without its message, which may quote data. */
function stackPlaces({ stack = '', message }: Error): string {
  return stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^ {4}at [\w.<>#[\] ]*\(?(file:|node:|\/|[A-Z]:\\)/.test(line))
    .join('\n');
}

/** An error without its text: its kind and the places in the code. For errors that may quote protected data. */
export function withoutText(error: unknown): Error {
  const kind = errorKind(error);
  const bare = new Error(`${kind}; its text is withheld, because the data are protected`);
  bare.stack = `${bare.message}\n${error instanceof Error ? stackPlaces(error) : ''}`.trimEnd();
  return bare;
}
