import { main } from '../src/cli/main.ts';

/** Runs the command line and says on standard error what it took at most, in kilobytes. */
process.exitCode = await main(process.argv.slice(2));
process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`);
