/** A response that asking again will not change, such as "there is no such run". */
export class FinalError extends Error {}
