import { makeGolden } from './make.ts';
import { differences, readGolden, writeGolden } from './numbers.ts';

/** `npm run golden`: compares the numbers of eight runs with the stored ones; `npm run golden -- --write` stores them. */
const golden = await makeGolden();
if (process.argv.includes('--write')) writeGolden(golden);
else {
  const lines = differences(readGolden(), golden);
  console.log(lines.length === 0 ? 'no number differs' : lines.join('\n'));
  process.exitCode = lines.length === 0 ? 0 : 1;
}
