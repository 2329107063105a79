import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";
import { expect, it } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { CircuitBreaker } from "../src/upstream/circuit-breaker.ts";

const down = new ConnectError("connection refused", Code.Unavailable);
const late = new ConnectError("too late", Code.DeadlineExceeded);
const canceled = new ConnectError("no client waits", Code.Canceled);
const unknown = notFound(ErrorReason.OFFER_NOT_FOUND, "no such offer");

const failWith = (breaker: CircuitBreaker, error: Error, afterSeconds = 0) => {
  const call = async () => {
    passSeconds(afterSeconds);
    throw error;
  };
  return expect(breaker.run(call)).rejects.toBe(error);
};

it("opens after consecutive calls that found the service down or silent", async () => {
  const breaker = new CircuitBreaker({ failuresMax: 3, pauseMs: 60_000 });
  for (const error of [down, late, unknown, down, canceled, late]) {
    await failWith(breaker, error, 1);
  }
  expect(breaker.isOpen).toBe(false);
  await failWith(breaker, down);
  expect([breaker.isOpen, breaker.isPassable]).toEqual([true, false]);
});

it("stays closed for calls that had little time", async () => {
  const breaker = new CircuitBreaker({ failuresMax: 1, pauseMs: 60_000 });
  await failWith(breaker, late, 0.25);
  expect(breaker.isOpen).toBe(false);
});

it("lets one call try after the pause, and another one if that was canceled", async () => {
  const breaker = new CircuitBreaker({ failuresMax: 1, pauseMs: 0 });
  await failWith(breaker, down);
  const { promise, reject } = Promise.withResolvers<never>();
  const attempt = breaker.run(() => promise);
  expect(breaker.isPassable).toBe(false);
  reject(canceled);
  await expect(attempt).rejects.toBe(canceled);
  expect([breaker.isOpen, breaker.isPassable]).toEqual([true, true]);
  await breaker.run(() => Promise.resolve());
  expect(breaker.isOpen).toBe(false);
});

it("closes when a call from before it opened gets a response", async () => {
  const breaker = new CircuitBreaker({ failuresMax: 1, pauseMs: 60_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = breaker.run(() => promise);
  await failWith(breaker, down);
  resolve();
  await slow;
  expect(breaker.isOpen).toBe(false);
});
