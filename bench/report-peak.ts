/** Says on standard error what a process took at most, in kilobytes, when it ends: `node --import bench/report-peak.ts ...`. */
process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`));
