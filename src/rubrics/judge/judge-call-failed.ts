/** A call to a judge that came to nothing, retries included. The items asked in it become errors of the judge; they are never scores. */
export class JudgeCallFailed extends Error {
  override readonly name = 'JudgeCallFailed';
  /** A short code, e.g. `timeout`. */
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`the judge gave no reply: ${reason}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
