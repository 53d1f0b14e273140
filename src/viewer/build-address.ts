/**
 * The address of a path template: `runs/:id` with `{ id: 'a', limit: 5 }` is `runs/a?limit=5`. Parameters that the path does not name go into the query; an array repeats its name, and
 * undefined or empty values are left out.
 */
export function buildAddress(template: string, params: object): string {
  const rest = new Map<string, unknown>(Object.entries(params));
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = [...rest]
    .filter(([, value]) => value !== undefined && value !== '')
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encodeURIComponent(String(one))}`),
    );
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}
