import { TestCall } from "@storefront/testkit";
import { describe, expect, it, vi } from "vitest";
import { joinCalls } from "./call.ts";

describe("joined calls", () => {
  it("are aborted with the last of them, and have the latest deadline", () => {
    const [early, late] = [new TestCall(1), new TestCall(2)];
    const joined = joinCalls([early, late, early]);
    const onAbort = vi.fn<() => void>();
    joined?.onAbort(onAbort);
    expect(joined?.deadlineMs).toBe(2);
    late.abort();
    expect(onAbort).not.toHaveBeenCalled();
    expect(joined?.abortReason).toBeUndefined();
    early.abort();
    expect(onAbort).toHaveBeenCalledOnce();
    expect(joined?.abortReason).toBeInstanceOf(Error);
  });

  it("include those that were aborted already", () => {
    const [over, waiting] = [new TestCall(1), new TestCall(2)];
    over.abort();
    const onAbort = vi.fn<() => void>();
    joinCalls([over, waiting])?.onAbort(onAbort);
    waiting.abort();
    expect(onAbort).toHaveBeenCalledOnce();
  });

  it("leave no listener", () => {
    const calls = [new TestCall(1), new TestCall(2)];
    joinCalls(calls)?.onAbort(() => undefined)();
    expect(calls.map(({ listenerCount }) => listenerCount)).toEqual([0, 0]);
  });

  it("have no end if one caller has no call, and are the call itself if there is only one", () => {
    const call = new TestCall(1);
    expect(joinCalls([call, undefined])).toBeUndefined();
    expect(joinCalls([])).toBeUndefined();
    expect(joinCalls([call, call])).toBe(call);
  });
});
