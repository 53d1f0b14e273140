/** `2026-03-01T12:30:00.000Z` as people write it; anything else as it is. */
export function dateText(date: string | null): string {
  if (date === null) return 'not stated';
  const iso = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(date);
  return iso === null ? date : `${iso[1]} ${iso[2]} UTC`;
}
