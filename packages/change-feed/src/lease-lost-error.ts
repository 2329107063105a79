/** This process does not, or not any more, apply the feed: another one does. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor(feed: string) {
    super(`another process applies the feed of ${feed}`);
  }
}
