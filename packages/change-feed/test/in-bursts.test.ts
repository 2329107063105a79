import { describe, expect, it } from "vitest";
import { inBursts } from "../src/follower/in-bursts.ts";

/** Messages that the test sends; `taken` counts those that were read. */
function manualSource() {
  const sent: PromiseWithResolvers<number | undefined>[] = [];
  const slot = (index: number) => (sent[index] ??= Promise.withResolvers<number | undefined>());
  let count = 0;
  let taken = 0;
  return {
    send: (message: number | undefined) => slot(count++).resolve(message),
    fail: (error: Error) => slot(count++).reject(error),
    get taken() {
      return taken;
    },
    async *messages() {
      for (;;) {
        const message = await slot(taken).promise;
        taken++;
        if (message === undefined) return;
        yield message;
      }
    },
  };
}

const never = () => false;
/** Runs all callbacks that are due. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("messages in bursts", () => {
  it("are delivered one by one to a quick reader and together to a busy one, in order", async () => {
    const source = manualSource();
    const bursts = inBursts(source.messages(), never);
    source.send(1);
    expect((await bursts.next()).value).toEqual([1]);
    for (const message of [2, 3, 4, undefined]) source.send(message);
    await settled();
    expect((await bursts.next()).value).toEqual([2, 3, 4]);
    expect((await bursts.next()).done).toBe(true);
  });

  it("are not read ahead once a burst is full", async () => {
    const source = manualSource();
    const bursts = inBursts(source.messages(), (burst) => burst.length >= 2);
    source.send(1);
    const seen = (await bursts.next()).value ?? [];
    for (const message of [2, 3, 4, 5, 6, undefined]) source.send(message);
    await settled();
    // The fourth was read, but does not fit in the burst.
    expect(source.taken).toBe(4);
    for await (const burst of bursts) {
      expect(burst.length).toBeLessThanOrEqual(2);
      seen.push(...burst);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("fail as their source fails, after earlier messages were delivered", async () => {
    const source = manualSource();
    const bursts = inBursts(source.messages(), never);
    source.send(1);
    source.fail(new RangeError("broken"));
    expect((await bursts.next()).value).toEqual([1]);
    await expect(bursts.next()).rejects.toBeInstanceOf(RangeError);
  });
});
