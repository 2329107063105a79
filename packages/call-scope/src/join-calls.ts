import type { Call } from "./call.ts";

/**
 * The call that work for several calls is done for: it is over when the last of them is. Undefined,
 * for no limit at all, when one of the askers is no call.
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
