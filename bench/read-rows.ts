import { RunFile } from '../src/store/run-file.ts';

/** Reads all rows of a run file once, and prints how many: what everything that looks at a run costs at least. */
const file = RunFile.read(process.argv[2]!);
let n = 0;
for (const _ of file.rows.read({ all: true })) n += 1;
file.close();
console.log(n);
