/** A stretch of text from an opening bracket to the one that closes it. */
interface Span {
  readonly start: number;
  readonly end: number;
  /** Inside a fenced block. */
  readonly fenced: boolean;
  /** False when it takes guessing to tell where a quoted text in it ends, or what a value was to be. */
  readonly clear: boolean;
}

interface BracketSpans {
  readonly spans: readonly Span[];
  /** `cut_off`: the text ends inside a bracket. `malformed`: brackets or quotes do not match. There are no spans then. */
  readonly fault: 'cut_off' | 'malformed' | null;
}

/** Prose has brackets too ("an eGFR in [45, 60)"): away from the beginning, one counts when what follows is how an object, or a list of objects, goes on. */
const STARTS = /\{\s*(?:["'}]|\/[/*]|[A-Za-z_$][\w$]*\s*:)|\[\s*[{["]/y;

/** What may follow a quoted text: its end is then no guess. */
const AFTER_TEXT = /\s*(?:[,:{}[\]"']|\/[/*])/y;

/**
 * The outermost bracketed stretches of a text, in order. Brackets in quoted text and in comments do not count. A text that ends inside a bracket gives no spans at all: what
 * was being written when it was cut off is not known, and an earlier draft is not the answer.
 */
export function bracketSpans(text: string): BracketSpans {
  const spans: Span[] = [];
  let fenced = false;
  let beginning = text.search(/\S|$/);
  const mark = /```[\w-]*\s*|[{[]/g;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index;
    if (found[0].startsWith('`')) {
      fenced = !fenced;
      beginning = mark.lastIndex;
    } else if (start === beginning || matchesAt(STARTS, text, start)) {
      const closed = close(text, start);
      if (typeof closed === 'string') return { spans: [], fault: closed };
      spans.push({ start, fenced, ...closed });
      mark.lastIndex = closed.end;
    }
  }
  return { spans, fault: null };
}

/** Where the bracket at `start` is closed. */
function close(text: string, start: number): 'cut_off' | 'malformed' | Pick<Span, 'end' | 'clear'> {
  const expected: string[] = [];
  let clear = true;
  const mark = /[{}[\]"']|\/[/*]|[`´‘’“”&\\(]|(?:[-.:]|\d[eE][+-]?)(?=\s*[,}\]])/g;
  mark.lastIndex = start;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [token] = found;
    if (token === '{') expected.push('}');
    else if (token === '[') expected.push(']');
    else if (token === '}' || token === ']') {
      if (expected.pop() !== token) return 'malformed';
      if (expected.length === 0) return { end: mark.lastIndex, clear };
    } else if (token === '"' || token === "'" || token === '//' || token === '/*') {
      const end = endOf(token, text, mark.lastIndex);
      if (end === null) break;
      if (token.length === 1 && !matchesAt(AFTER_TEXT, text, end)) clear = false;
      mark.lastIndex = end;
    } else {
      // A quote of another alphabet, a function call, a value that is missing or a number without its end: a mender makes something of each, and it may not be what was meant.
      clear = false;
    }
  }
  // Where quotes were unclear before, the end may only seem to be missing.
  return clear ? 'cut_off' : 'malformed';
}

const ENDS = { '"': /\\.|"/gs, "'": /\\.|'/gs, '//': /\n/g, '/*': /\*\//g };

/** Where quoted text ends, or a comment; null where it does not. */
function endOf(opener: keyof typeof ENDS, text: string, from: number): number | null {
  const mark = ENDS[opener];
  mark.lastIndex = from;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (!found[0].startsWith('\\')) return mark.lastIndex;
  }
  return null;
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
