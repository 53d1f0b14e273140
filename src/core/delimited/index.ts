export * from './decimal.ts';
export {
  type Chunks,
  decodeText,
  FILE_ENCODINGS,
  type FileEncoding,
  fileChunks,
  fileDecoder,
} from './decode-text.ts';
export {
  DELIMITER_NAMES,
  type DelimitedRow,
  type Delimiter,
  delimitedRows,
  detectDelimiter,
  HEAD_CHARACTERS,
  isSeparatorLine,
  placeOf,
  readFields,
  statedDelimiter,
  UnclosedQuote,
} from './rows.ts';
export { isSpreadsheet, readSpreadsheet, ZIP_MAGIC } from './spreadsheet.ts';
