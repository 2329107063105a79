import { expect, test, vi } from "vitest";
import { SingleFlight } from "../src/upstream/single-flight.ts";

const joinableMs = 800;
const waiting = (waitsMs: number) => ({
  signal: undefined,
  deadlineAt: performance.now() + waitsMs,
});

test("each caller waits until its own deadline; the work may last as long as the last caller that may join", async () => {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const flights = new SingleFlight<number>(joinableMs);
  const { promise, resolve } = Promise.withResolvers<number>();
  const work = vi.fn<(limits: { deadlineAt: number }) => Promise<number>>(() => promise);
  const first = flights.run("key", waiting(1), work);
  const joined = flights.run("key", waiting(60_000), work);
  await expect(first).rejects.toMatchObject({ code: "GATEWAY_TIMEOUT" });
  resolve(1);
  expect(await joined).toBe(1);
  expect(work).toHaveBeenCalledOnce();
  const [[limits] = []] = work.mock.calls;
  expect(limits?.deadlineAt).toBe(performance.now() + 1 + joinableMs);
});
