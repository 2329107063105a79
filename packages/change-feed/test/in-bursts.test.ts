import { describe, expect, it } from "vitest";
import { inBursts } from "../src/follower/in-bursts.ts";

/** Messages that are sent by hand; `taken` counts those that were asked for. */
function handSource() {
  const sent: PromiseWithResolvers<number | undefined>[] = [];
  const place = (index: number) => (sent[index] ??= Promise.withResolvers<number | undefined>());
  let count = 0;
  let taken = 0;
  return {
    send: (message: number | undefined) => place(count++).resolve(message),
    fail: (error: Error) => place(count++).reject(error),
    get taken() {
      return taken;
    },
    async *messages() {
      for (;;) {
        const message = await place(taken).promise;
        taken++;
        if (message === undefined) return;
        yield message;
      }
    },
  };
}

const never = () => false;
/** Lets everything happen that waits for nothing. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("messages in bursts", () => {
  it("come alone to a quick reader and together to a busy one, in order, to the end", async () => {
    const source = handSource();
    const bursts = inBursts(source.messages(), never);
    source.send(1);
    expect((await bursts.next()).value).toEqual([1]);
    for (const message of [2, 3, 4, undefined]) source.send(message);
    await settled();
    expect((await bursts.next()).value).toEqual([2, 3, 4]);
    expect((await bursts.next()).done).toBe(true);
  });

  it("are read ahead no further than until a burst is enough", async () => {
    const source = handSource();
    const bursts = inBursts(source.messages(), (burst) => burst.length >= 2);
    source.send(1);
    const seen = (await bursts.next()).value ?? [];
    for (const message of [2, 3, 4, 5, 6, undefined]) source.send(message);
    await settled();
    // The fourth is in hand, but has no place yet.
    expect(source.taken).toBe(4);
    for await (const burst of bursts) {
      expect(burst.length).toBeLessThanOrEqual(2);
      seen.push(...burst);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("fail as their source fails, after what came before", async () => {
    const source = handSource();
    const bursts = inBursts(source.messages(), never);
    source.send(1);
    source.fail(new RangeError("broken"));
    expect((await bursts.next()).value).toEqual([1]);
    await expect(bursts.next()).rejects.toBeInstanceOf(RangeError);
  });
});
