export * from './decimal.ts';
export {
  type Chunks,
  decodeText,
  FILE_ENCODINGS,
  type FileEncoding,
  fileDecoder,
} from './decode-text.ts';
export { DELIMITER_NAMES, detectDelimiter, HEAD_CHARACTERS } from './delimiter.ts';
export { fileChunks } from './file-chunks.ts';
export { type FieldsRow, readFields } from './read-fields.ts';
export { type DelimitedRow, type Delimiter, delimitedRows, UnclosedQuote } from './rows.ts';
