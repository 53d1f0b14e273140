import { startEmulator } from './server.ts';

/** The emulator as a process of its own: `node main.ts '<options as JSON>'`. It says its address in one line of JSON. */
const emulator = await startEmulator(JSON.parse(process.argv[2] ?? '{}'));
console.log(JSON.stringify({ url: emulator.url }));

// Whoever started it holds its standard input: when that closes, however the starter ended, nobody needs it any more.
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
