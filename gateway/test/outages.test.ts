import { expect, test } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { Outages } from "../src/cache/outages.ts";

test("an unavailable service is tried twice a second for all its responses, and stays unavailable until it responds", () => {
  const outages = new Outages();
  outages.note(["pricing"]);
  for (let time = 0; time < 9; time++) {
    const tries = [["pricing"], ["catalog", "pricing"], ["pricing"]];
    expect(tries.map((services) => outages.mayTry(services))).toEqual([true, false, false]);
    expect(outages.mayTry(["catalog"])).toBe(true);
    passSeconds(0.5);
    expect(outages.has("pricing")).toBe(true);
  }
  passSeconds(2);
  expect(outages.has("pricing")).toBe(false);
});

test("a service that has responded counts as unavailable for less than a second more, and is not tried meanwhile", () => {
  const outages = new Outages();
  outages.note(["pricing"]);
  expect([outages.beginReturn("pricing"), outages.beginReturn("pricing")]).toEqual([true, false]);
  expect([outages.has("pricing"), outages.mayTry(["pricing"])]).toEqual([true, false]);
  passSeconds(1);
  expect([outages.has("pricing"), outages.mayTry(["pricing"])]).toEqual([false, true]);
  expect(outages.beginReturn("pricing")).toBe(false);
});

test("a service that has responded and is followed is available", () => {
  const outages = new Outages();
  outages.note(["pricing"]);
  outages.end("pricing");
  expect(outages.has("pricing")).toBe(false);
});
