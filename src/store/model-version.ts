/** `-2024-08-06`, `-20240806` or `@20240806`. */
const DATE = /^(?:-(\d{4})-(\d\d)-(\d\d)|[-@](\d{4})(\d\d)(\d\d))$/;
/** Versions of language models are younger; most dates in records of patients are not. */
const MIN_YEAR = 2020;

/** Whether a name is that of the model that was asked (`provider/model`), with at most a date after it. */
export function isVersionOf(name: string, asked: string): boolean {
  const model = asked.slice(asked.indexOf('/') + 1);
  if (name === model) return true;
  const [year, month, day] = (DATE.exec(name.startsWith(model) ? name.slice(model.length) : '') ?? [])
    .slice(1)
    .filter((part) => part !== undefined)
    .map(Number);
  if (year === undefined || year < MIN_YEAR) return false;
  const date = new Date(Date.UTC(year, month! - 1, day));
  return date.getUTCMonth() === month! - 1 && date.getTime() <= Date.now();
}
