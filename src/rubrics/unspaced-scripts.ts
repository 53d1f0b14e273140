/** Scripts that write words without spaces: there, neighbouring letters do not mean one word. */
export const UNSPACED_SCRIPTS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
