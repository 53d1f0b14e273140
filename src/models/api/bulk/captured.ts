/** Thrown in place of a reply by an exchange that only wants to see the request: no error of the call. */
export class Captured extends Error {
  override readonly name = 'Captured';
}
