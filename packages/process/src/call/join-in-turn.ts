import { activeSpan, inJoinedSpan } from "../telemetry/tracing/in-span.ts";
import type { JoinedCaller } from "../telemetry/tracing/in-span.ts";
import { activeCall, joinCalls, runForCall } from "./call.ts";
import type { Call } from "./call.ts";

interface Waiting<Lookup, Result> extends JoinedCaller {
  readonly lookup: Lookup;
  readonly call: Call | undefined;
  readonly result: PromiseWithResolvers<Result>;
}

/**
 * Joins the lookups of one group that all callers make within one turn of the event loop. Nothing is cached from one
 * turn to the next. The work ends when none of the calls waits for it any longer.
 *
 * @param work does several lookups, and returns the result of each; when it rejects, all of them do
 * @param maxLookups of one run of `work`; more lookups run concurrently. Default no limit
 */
export function joinInTurn<Group, Lookup, Result>(
  work: (lookups: readonly Lookup[], group: Group) => Promise<(lookup: Lookup) => Result>,
  maxLookups = Infinity,
): (lookup: Lookup, group: Group) => Promise<Result> {
  const groups = new Map<Group, Waiting<Lookup, Result>[]>();

  async function run(waiting: readonly Waiting<Lookup, Result>[], group: Group): Promise<void> {
    try {
      const lookups = waiting.map(({ lookup }) => lookup);
      const resultOf = await runForCall(joinCalls(waiting.map(({ call }) => call)), () =>
        inJoinedSpan("joined lookups", waiting, () => work(lookups, group)),
      );
      for (const { lookup, result } of waiting) result.resolve(resultOf(lookup));
    } catch (error) {
      for (const { result } of waiting) result.reject(error);
    }
  }

  return (lookup, group) => {
    let waiting = groups.get(group);
    if (waiting === undefined || waiting.length >= maxLookups) {
      const begun: Waiting<Lookup, Result>[] = [];
      waiting = begun;
      groups.set(group, begun);
      // Requests of one turn arrive one by one, and the promise jobs of each run in between: only at the end of
      // the turn are all lookups collected.
      setImmediate(() => {
        if (groups.get(group) === begun) groups.delete(group);
        void run(begun, group);
      });
    }
    const result = Promise.withResolvers<Result>();
    waiting.push({ lookup, span: activeSpan(), call: activeCall(), result });
    return result.promise;
  };
}
