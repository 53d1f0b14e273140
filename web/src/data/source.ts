import type {
  ComparePayload,
  QuestionsPayload,
  RecordFilter,
  RecordPayload,
  RecordsPayload,
  RunPayload,
  RunsPayload,
} from '../api.ts';

/** Where the page's data come from: a server that may still be writing, or the files of an export. */
export interface Source {
  /** Whether it is worth asking again. */
  readonly live: boolean;
  /** What an export leaves out, in sentences. */
  readonly notes: readonly string[];
  runs(): Promise<RunsPayload>;
  run(id: string): Promise<RunPayload>;
  records(id: string, filter: RecordFilter): Promise<RecordsPayload>;
  record(id: string, record: string, repeat: number): Promise<RecordPayload>;
  questions(id: string): Promise<QuestionsPayload>;
  compare(a: string, b: string): Promise<ComparePayload>;
}
