import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { settledWithin } from "./settled-within.ts";

const late = () => "late";

describe("settledWithin", () => {
  it("returns a result in time", async () => {
    expect(await settledWithin(1_000, setTimeout(1, "work"), late)).toBe("work");
  });

  it("returns a replacement for late work", async () => {
    expect(await settledWithin(1, setTimeout(1_000, "work", { ref: false }), late)).toBe("late");
    expect(await settledWithin(1, setTimeout(1_000, "work", { ref: false }))).toBeUndefined();
  });

  it("rejects with the error of the work", async () => {
    const work = setImmediate().then(() => Promise.reject(new Error("a fault")));
    await expect(settledWithin(1_000, work, late)).rejects.toThrow("a fault");
  });

  it("accepts a result that arrived while the process was busy, after the limit", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const receiver = connect((server.address() as AddressInfo).port, "127.0.0.1");
    onTestFinished(() => void receiver.destroy());
    const [[sender]] = (await Promise.all([
      once(server, "connection"),
      once(receiver, "connect"),
    ])) as [[Socket], unknown];
    onTestFinished(() => void sender.destroy());
    const received = once(receiver, "data").then(String);
    await setImmediate();
    sender.write("work");
    const settled = settledWithin(10, received, late);
    const busyUntil = performance.now() + 50;
    while (performance.now() < busyUntil);
    expect(await settled).toBe("work");
  });
});
