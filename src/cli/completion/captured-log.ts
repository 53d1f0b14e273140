/** What a function prints with `console.log`. The completion library has no other way to hand over its results. */
export function capturedLog(print: () => void): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: unknown) => lines.push(String(line));
  try {
    print();
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}
