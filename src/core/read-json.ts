/** A part of a text, in UTF-16 code units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Where an object or a list is in a JSON text, and whether it has a key twice. */
interface JsonPlace extends TextSpan {
  readonly repeatsKey: boolean;
  /** The object or list around it; null for the outermost. */
  readonly parent: object | null;
}

export interface ReadJson {
  readonly value: unknown;
  /** Every object and list of the value, inner ones before those around them. */
  readonly places: ReadonlyMap<object, JsonPlace>;
}

/** In a text that is known to be JSON, commas and colons say nothing that the order of the other tokens does not. */
const TOKEN = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/g;

interface Frame {
  readonly value: object;
  readonly start: number;
  key: string | null;
  repeatsKey: boolean;
}

/**
 * Reads strict JSON, with the place of every object and list in it. `JSON.parse` silently takes the last of two equal keys; here the object says so. Undefined for a
 * text that is not JSON. Does not recurse, so nesting of any depth is read.
 *
 * @example
 * ```ts
 * const { value, places } = readJson('{"a": 1, "a": 2}')!;
 * places.get(value as object) // => { start: 0, end: 16, repeatsKey: true, parent: null }
 * readJson('{"a": ') // => undefined
 * ```
 */
export function readJson(text: string): ReadJson | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const places = new Map<object, JsonPlace>();
  if (typeof value !== 'object' || value === null) return { value, places };
  if (isFlatObject(text, value)) {
    const place = { start: text.indexOf('{'), end: text.lastIndexOf('}') + 1 };
    return { value, places: places.set(value, { ...place, repeatsKey: false, parent: null }) };
  }
  const open: Frame[] = [];
  const add = (inner: unknown) => {
    const frame = open.at(-1);
    if (frame === undefined) value = inner;
    else if (Array.isArray(frame.value)) frame.value.push(inner);
    else setOwn(frame, inner);
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const frame = open.at(-1);
    if (token === '{' || token === '[') {
      const inner = token === '{' ? {} : [];
      add(inner);
      open.push({ value: inner, start: index, key: null, repeatsKey: false });
    } else if (token === '}' || token === ']') {
      const { value: closed, start, repeatsKey } = open.pop()!;
      places.set(closed, { start, end: index + 1, repeatsKey, parent: open.at(-1)?.value ?? null });
    } else if (frame !== undefined && frame.key === null && !Array.isArray(frame.value)) {
      frame.key = JSON.parse(token);
    } else {
      add(JSON.parse(token));
    }
  }
  return { value, places };
}

/** Whether an object holds no other, and as many keys as its text: then all of its text is in the parsed value. */
function isFlatObject(text: string, value: object): boolean {
  if (Array.isArray(value)) return false;
  const values = Object.values(value);
  if (values.some((inner) => typeof inner === 'object' && inner !== null)) return false;
  const nTokens = text.match(TOKEN)?.length ?? 0;
  return nTokens === 2 * values.length + 2;
}

function setOwn(frame: Frame, value: unknown): void {
  const key = frame.key!;
  if (Object.hasOwn(frame.value, key)) frame.repeatsKey = true;
  // An assignment to `__proto__` would set the prototype.
  Object.defineProperty(frame.value, key, { value, writable: true, enumerable: true, configurable: true });
  frame.key = null;
}
