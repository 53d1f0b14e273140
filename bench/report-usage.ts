import { appendFileSync } from 'node:fs';

/** Loaded into a measured process and its children: what each has used at its end, as a line of a file. */
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  appendFileSync(
    process.env.KRISIS_BENCH_USAGE!,
    `${JSON.stringify({ megabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 })}\n`,
  );
});
