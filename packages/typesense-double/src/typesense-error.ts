/** An answer other than success; the message travels as `{"message"}` or in a line's `error`. */
export class TypesenseError extends Error {
  override readonly name = "TypesenseError";
  /** HTTP status, which is also the `code` inside import lines and multi_search results. */
  readonly status: number;

  /** @param status default 400, a bad request. */
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
