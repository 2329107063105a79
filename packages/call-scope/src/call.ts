/** A call that somebody waits for, as those see it who work for it. */
export interface Call {
  /** Milliseconds since the epoch after which nobody waits; Infinity without a limit. */
  readonly deadlineMs: number;
  /** Why nobody waits for it any more; undefined as long as somebody does. */
  readonly abortReason: Error | undefined;
  /**
   * Calls `listener` once with the reason, when nobody waits any more; never if that is so already. Cheaper than a
   * listener of an AbortSignal, since every statement has one.
   *
   * @returns takes the listener away again.
   */
  onAbort(listener: (reason: Error) => void): () => void;
}
