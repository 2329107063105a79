import { expect, it } from "vitest";
import { simulateQueue } from "../../test/support/simulate-queue.ts";
import { AdaptiveLimit } from "./adaptive-limit.ts";

const costMax = 1000;
const search = { operation: "search", cost: 40, serviceMs: 10 };
const list = { operation: "list", cost: 3, serviceMs: 4 };
const lookup = { operation: "lookup", cost: 1, serviceMs: 0.6 };

const quietly = (work: typeof search) => ({ ...work, perSecond: 5 });
const capacityOf = (servers: number, { serviceMs }: typeof search) => (servers * 1000) / serviceMs;

it.each([2, 16])("keeps work on %i servers fast at ten times their capacity", (servers) => {
  const run = simulateQueue({ servers, costMax });
  const capacity = capacityOf(servers, search);
  const quiet = run(15, quietly(search));
  const overload = run(60, { ...search, perSecond: 10 * capacity });
  expect(overload.p99Ms).toBeLessThan(5 * quiet.p99Ms);
  expect(overload.donePerSecond).toBeGreaterThan(0.95 * capacity);
});

it.each([
  { servers: 2, work: search },
  { servers: 16, work: search },
  { servers: 32, work: list },
])("finds its bound during an overload: $work.operation on $servers", (each) => {
  const { servers, work } = each;
  const capacity = capacityOf(servers, work);
  const beyond = { ...work, perSecond: 10 * capacity };
  const quiet = simulateQueue({ servers, costMax })(15, quietly(work));
  const run = simulateQueue({ servers, costMax });
  run(5, beyond);
  const overload = run(5, beyond);
  expect(overload.p99Ms).toBeLessThan(5 * quiet.p99Ms);
  expect(overload.donePerSecond).toBeGreaterThan(0.95 * capacity);
});

it("never falls where nothing is refused, however long the work takes", () => {
  const run = simulateQueue({ servers: 2, costMax: 100 * costMax });
  const quiet = run(15, quietly(search));
  const busy = run(60, { ...search, perSecond: 195 });
  expect(busy.p99Ms).toBeGreaterThan(5 * quiet.p99Ms);
  expect(busy).toMatchObject({ refused: 0, limit: 100 * costMax });
});

it("does not fall while work is fast, even if some is refused", () => {
  const run = simulateQueue({ servers: 16, costMax: 100 });
  run(15, quietly(search));
  const busy = run(10, { ...search, perSecond: 1000 });
  expect(busy.refused).toBeGreaterThan(1000);
  expect(busy.limit).toBe(100);
});

it("is at its ceiling again five seconds after an overload", () => {
  const run = simulateQueue({ servers: 2, costMax });
  run(15, quietly(search));
  expect(run(10, { ...search, perSecond: 2000 }).limit).toBeLessThan(costMax / 2);
  expect(run(5, { ...search, perSecond: 50 }).limit).toBe(costMax);
});

it("measures each operation against itself, whatever the mix", () => {
  const run = simulateQueue({ servers: 16, costMax: 100 });
  run(15, { ...lookup, perSecond: 50 }, { ...search, perSecond: 5 });
  expect(run(5, { ...lookup, perSecond: 20_000 }).limit).toBe(100);
  expect(run(10, { ...search, perSecond: 1000 }).limit).toBe(100);
});

it("learns at quiet moments that work has become slower", () => {
  const run = simulateQueue({ servers: 16, costMax: 100 });
  run(15, quietly(search));
  const slower = { ...search, serviceMs: 8 * search.serviceMs };
  run(60, { ...slower, perSecond: 1 });
  expect(run(10, { ...slower, perSecond: 200 }).limit).toBe(100);
});

it("learns that work has become slower, even if most records are not found", () => {
  const run = simulateQueue({ servers: 16, costMax: 400 });
  run(15, quietly(search));
  const slower = { ...search, serviceMs: 8 * search.serviceMs, missingShare: 0.8 };
  run(60, { ...slower, perSecond: 20 });
  expect(run(10, { ...slower, perSecond: 200 }).limit).toBe(400);
});

it("counts slow failures, and no immediate ones", () => {
  const limit = new AdaptiveLimit(costMax, 0);
  let nowMs = 0;
  const work = (durationMs: number, hasFailed: boolean) => {
    for (let index = 0; index < 20; index++) {
      limit.update(nowMs);
      limit.begun();
      limit.refused();
      nowMs += durationMs;
      limit.ended("search", durationMs, hasFailed);
    }
  };
  work(100, false);
  limit.update(nowMs + 60_000);
  expect(limit.limit).toBe(costMax);
  work(10, true);
  expect(limit.limit).toBe(costMax);
  work(5000, true);
  expect(limit.limit).toBeLessThan(100);
});
