/** A problem as zod reports it. */
interface Issue {
  readonly code?: unknown;
  readonly expected?: unknown;
  readonly path?: readonly unknown[];
  /** The problems of every form that the value could have had. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** The first field of a reply at which an SDK's check of its form failed, from the causes of its error; null where no such check failed. */
export function refusedField(thrown: unknown) {
  for (let error = thrown, depth = 0; isObject(error) && depth < 6; error = error.cause, depth++) {
    const { issues } = error;
    if (Array.isArray(issues) && issues.length > 0) return describe(deepest(issues));
  }
  return null;
}

/** Of the forms that a value could have had, the one that it comes closest to fails deepest inside. */
function deepest(
  [issue]: readonly Issue[],
  outer: readonly unknown[] = [],
): Issue & { readonly path: readonly unknown[] } {
  const path = [...outer, ...(issue?.path ?? [])];
  const inner = (issue?.errors ?? [])
    .filter((issues) => issues.length > 0)
    .map((issues) => deepest(issues, path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner !== undefined && inner.path.length > path.length ? inner : { ...issue, path };
}

/**
 * Field and expectation: `output[0].status: expected string`. `closed` is the same where every part of it is a word of a provider's format, and null where a part may
 * be anything, such as a value of the record.
 */
function describe({ path, expected }: ReturnType<typeof deepest>) {
  const field = path.length === 0 ? 'the reply' : path.map(step).join('').replace(/^\./, '');
  const isKind = typeof expected === 'string' && KINDS.has(expected);
  const text = `${field}: ${isKind ? `expected ${expected}` : 'unexpected value'}`;
  return { text, closed: path.every(isKnown) ? text : null };
}

const MAX_NAME = 40;

function step(part: unknown): string {
  if (typeof part === 'number') return `[${part}]`;
  const name = String(part);
  const short = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return /^[A-Za-z_]\w*$/.test(name) ? `.${short}` : `[${JSON.stringify(short)}]`;
}

function isKnown(part: unknown): boolean {
  return typeof part === 'number' || FIELDS.has(String(part));
}

function isObject(value: unknown): value is { readonly issues?: unknown; readonly cause?: unknown } {
  return typeof value === 'object' && value !== null;
}

const KINDS = new Set(['string', 'number', 'int', 'boolean', 'array', 'object', 'record', 'null']);

/** Words of the providers' formats. A reply can have any key, so that of protected records only these are shown. */
const FIELDS = new Set(
  `annotations arguments candidates choices code completion_tokens content created created_at delta error finishReason finish_reason function id index
input_tokens logprobs message metrics model modelVersion name object output outputs output_tokens parts promptFeedback prompt_tokens reasoning role safetyRatings status
stopReason stop_reason summary text tool_calls total_tokens totalTokens type usage usageMetadata`.split(/\s/),
);
