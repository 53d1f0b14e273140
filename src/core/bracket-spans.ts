/** The text from an opening bracket to the bracket that closes it. */
interface Span {
  readonly start: number;
  readonly end: number;
  /** False when the end of a quoted text, or an intended value, can only be guessed. */
  readonly clear: boolean;
}

interface BracketSpans {
  /** The spans before the fault, where there is one. */
  readonly spans: readonly Span[];
  /** `cut_off`: the text ends inside a bracket. `malformed`: brackets or quotes do not match. */
  readonly fault: 'cut_off' | 'malformed' | null;
}

/** Prose has brackets too ("an eGFR in [45, 60)"): after the beginning, a bracket counts only when what follows looks like an object or a list of objects. */
const STARTS = /(?:\[\s*){0,8}(?:\{\s*(?:["'}]|\/[/*]|[A-Za-z_$][\w$]*\s*:)|(?<=\[\s*)")/y;

/** What may follow a quoted text, so that its end is certain. */
const AFTER_TEXT = /\s*(?:[,:{}[\]"']|\/[/*])/y;

/**
 * The outermost bracketed spans of a text, in order. Brackets in quoted text and in comments do not count. Nothing is read
 * after a bracket that is not closed.
 */
export function bracketSpans(text: string): BracketSpans {
  const spans: Span[] = [];
  let beginning = text.search(/\S|$/);
  const mark = /```[\w-]*\s*|[{[]/g;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index;
    if (found[0].startsWith('`')) {
      beginning = mark.lastIndex;
    } else if (start === beginning || matchesAt(STARTS, text, start)) {
      const closed = close(text, start);
      if (typeof closed === 'string') return { spans, fault: closed };
      spans.push({ start, ...closed });
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
      const isComment = token.length === 2;
      // A comment may hold an object of its own, which a repair would drop.
      if (isComment ? text.slice(found.index, end).includes('{') : !matchesAt(AFTER_TEXT, text, end))
        clear = false;
      mark.lastIndex = end;
    } else {
      // Typographic quotes, a function call, a missing value or an unfinished number: a repair would turn each into something, perhaps not what was meant.
      clear = false;
    }
  }
  // After unclear quotes, the end may only appear to be missing.
  return clear ? 'cut_off' : 'malformed';
}

const ENDS = { '"': /\\.|"/gs, "'": /\\.|'/gs, '//': /\n/g, '/*': /\*\//g };

/** Where a quoted text or a comment ends; null where it does not. */
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
