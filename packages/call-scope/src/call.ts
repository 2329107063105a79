import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The process's, since what it follows is the flow of a call through all parts of it. Without a call
 * there is nothing to follow, so that a process that serves none pays nothing.
 */
let calls: AsyncLocalStorage<Call | undefined> | undefined;

/** The call that the running code works for; undefined where it works for none. */
export function activeCall(): Call | undefined {
  return calls?.getStore();
}

/** Runs `work`, and all that it waits for or begins, for this call; for none with undefined. */
export function runForCall<Result>(call: Call | undefined, work: () => Result): Result {
  if (calls === undefined) {
    if (call === undefined) return work();
    calls = new AsyncLocalStorage();
  }
  return calls.run(call, work);
}

/** Runs `work` that a call has begun and that others depend on too, so that it does not end with the call. */
export function outsideCalls<Result>(work: () => Result): Result {
  return activeCall() === undefined ? work() : runForCall(undefined, work);
}

/** A call, as seen by the work for it. */
export interface Call {
  /** Milliseconds since the epoch; Infinity without a deadline. */
  readonly deadlineMs: number;
  /** Why it has ended; undefined until then. */
  readonly abortReason: Error | undefined;
  /**
   * Calls `listener` once with the reason, when the call ends; never if it has ended already. Cheaper than a
   * listener of an AbortSignal, since every statement has one.
   *
   * @returns removes the listener.
   */
  onAbort(listener: (reason: Error) => void): () => void;
}
