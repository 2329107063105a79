import { AsyncLocalStorage } from "node:async_hooks";

/**
 * One for the process, since a call runs through all its parts. A process that serves no calls has no
 * overhead.
 */
let storage: AsyncLocalStorage<Call | undefined> | undefined;

/** The call that the running code works for; undefined where it works for none. */
export function activeCall(): Call | undefined {
  return storage?.getStore();
}

/** Runs `work`, and all work that it starts, for this call; for none with undefined. */
export function runForCall<Result>(call: Call | undefined, work: () => Result): Result {
  if (storage === undefined) {
    if (call === undefined) return work();
    storage = new AsyncLocalStorage();
  }
  return storage.run(call, work);
}

/** Runs `work` that a call has started and others depend on too, so that it does not end with the call. */
export function outsideCalls<Result>(work: () => Result): Result {
  return activeCall() === undefined ? work() : runForCall(undefined, work);
}

/** A call, as seen by the work for it. */
export interface Call {
  /** Milliseconds since the epoch; Infinity without a deadline. */
  readonly deadlineMs: number;
  /** The reason of its end; undefined until then. */
  readonly abortReason: Error | undefined;
  /**
   * Calls `listener` once with the reason, when the call ends; never if it has ended already. Cheaper than a
   * listener of an AbortSignal, since every statement has one.
   *
   * @returns removes the listener.
   */
  onAbort(listener: (reason: Error) => void): () => void;
}

/**
 * The call of work for several calls: it ends with the last of them. Undefined, which means no limit, when
 * one of the callers has no call.
 */
export function joinCalls(askers: readonly (Call | undefined)[]): Call | undefined {
  const calls = new Set<Call>();
  for (const call of askers) {
    if (call === undefined) return undefined;
    calls.add(call);
  }
  const [first] = calls;
  return calls.size <= 1 ? first : new JoinedCall([...calls]);
}

class JoinedCall implements Call {
  readonly #calls: readonly Call[];

  constructor(calls: readonly Call[]) {
    this.#calls = calls;
  }

  get deadlineMs(): number {
    return Math.max(...this.#calls.map(({ deadlineMs }) => deadlineMs));
  }

  get abortReason(): Error | undefined {
    const reasons = this.#calls.map(({ abortReason }) => abortReason);
    return reasons.includes(undefined) ? undefined : reasons.at(-1);
  }

  onAbort(listener: (reason: Error) => void): () => void {
    const waiting = this.#calls.filter(({ abortReason }) => abortReason === undefined);
    let left = waiting.length;
    const removers = waiting.map((call) =>
      call.onAbort((reason) => {
        left -= 1;
        if (left === 0) listener(reason);
      }),
    );
    return () => {
      for (const remove of removers) remove();
    };
  }
}
