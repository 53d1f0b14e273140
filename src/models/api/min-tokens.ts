/**
 * The most bytes of text that a token stands for on average. Measured with OpenAI's vocabularies (o200k, cl100k): 4 bytes in English, 9 at most in natural text (Tamil), and 14.5
 * over the thousand longest English tokens. Runs of one character are the exception: 128 spaces can be one token.
 */
const MAX_BYTES_PER_TOKEN = 16;

/** The fewest tokens that texts can take, whatever the tokenizer. */
export function minTokens(texts: readonly string[]): number {
  return countBytes(texts.map(foldRuns)) / MAX_BYTES_PER_TOKEN;
}

/** Whether texts take more tokens than a provider says. Runs are looked for only where a count seems too small. */
export function isBelowMinimum(tokens: number, texts: readonly string[]): boolean {
  return tokens < countBytes(texts) / MAX_BYTES_PER_TOKEN && tokens < minTokens(texts);
}

function countBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function foldRuns(text: string): string {
  return text.replace(/(\s)\s+/g, '$1').replace(/(.)\1{3,}/gsu, '$1$1$1');
}
