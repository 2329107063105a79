import { steadyPolling } from "@storefront/database";
import { expect, it } from "vitest";
import { BackgroundLoop } from "./background-loop.ts";
import type { Pause } from "./background-loop.ts";

/** A loop whose turns the test ends. */
function watched() {
  const woken: boolean[] = [];
  let begun = Promise.withResolvers<(pause: Pause) => void>();
  const loop = new BackgroundLoop(steadyPolling, async (signal, isWoken) => {
    woken.push(isWoken);
    const { promise, resolve } = Promise.withResolvers<Pause>();
    signal.addEventListener("abort", () => resolve({ ms: 0, isIdle: false }));
    begun.resolve(resolve);
    return await promise;
  });
  loop.start();
  return {
    loop,
    woken,
    /** Resolves when the next turn begins, with a function that ends it. */
    turn: async () => {
      const end = await begun.promise;
      begun = Promise.withResolvers();
      return end;
    },
  };
}

const idle: Pause = { ms: 3_600_000, isIdle: true };

it("begins a turn when it is woken, however long its idle pause", async () => {
  const { loop, woken, turn } = watched();
  (await turn())(idle);
  loop.wake();
  await turn();
  expect(woken).toEqual([true, true]);
  await loop.close();
});

it("does not miss a wake during a turn, and combines several", async () => {
  const { loop, woken, turn } = watched();
  const end = await turn();
  loop.wake();
  loop.wake();
  end(idle);
  (await turn())({ ms: 1, isIdle: true });
  await turn();
  expect(woken).toEqual([true, true, false]);
  await loop.close();
});
