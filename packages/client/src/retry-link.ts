import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { Unsubscribable } from "@trpc/server/observable";
import { CatalogError } from "./catalog-error.ts";
import type { CatalogErrorCode } from "./catalog-error.ts";
import type { CatalogRouter } from "./catalog-router.ts";

// Failures that may end within seconds. After a deadline the gateway has tried for seconds already.
const passing: ReadonlySet<CatalogErrorCode> = new Set([
  "UNREACHABLE",
  "UNAVAILABLE",
  "UPSTREAM_FAILED",
  "RATE_LIMITED",
]);

// After a longer wait than this, in seconds, the call fails at once.
const retryAfterMax = 10;

// Calls that fail within this time are retried together: a turn is never sooner.
const sameMs = 50;

/** How long a call waits: at least and at most, in milliseconds. */
type Wait = readonly [leastMs: number, mostMs: number];

/**
 * Retries reads after temporary failures: after a random part of 0.2 s, of 0.4 s and so on up to 2 s, or within
 * the second after `Retry-After`. Calls that failed together are retried together, in one request. tRPC's own
 * link of this kind chooses the wait without the error.
 *
 * @param retries at most
 */
export function retryLink(retries: number): TRPCLink<CatalogRouter> {
  return () => {
    const takeTurn = createTurns();
    return ({ op, next }) =>
      observable((observer) => {
        let sent: Unsubscribable | undefined;
        let stopWaiting = (): void => undefined;
        const send = (attempt: number): void => {
          sent = next(op).subscribe({
            next: (result) => observer.next(result),
            complete: () => observer.complete(),
            error(error) {
              const mayBeSentAgain = op.type === "query" && attempt < retries;
              const wait = mayBeSentAgain ? waitAfter(error, attempt) : undefined;
              if (wait === undefined) {
                observer.error(error);
                return;
              }
              const sendAgain = () => {
                stopWaiting();
                send(attempt + 1);
              };
              const leaveTurn = takeTurn(wait, sendAgain);
              // A call that is canceled meanwhile continues at once, so that its caller gets the error.
              op.signal?.addEventListener("abort", sendAgain);
              stopWaiting = () => {
                leaveTurn();
                op.signal?.removeEventListener("abort", sendAgain);
              };
            },
          });
        };
        send(0);
        return () => {
          stopWaiting();
          sent?.unsubscribe();
        };
      });
  };
}

function waitAfter(error: unknown, attempt: number): Wait | undefined {
  if (!(error instanceof CatalogError) || !passing.has(error.code)) return undefined;
  const { retryAfter } = error;
  if (retryAfter === undefined) return [0, Math.min(2000, 200 * 2 ** attempt)];
  return retryAfter > retryAfterMax ? undefined : [retryAfter * 1000, retryAfter * 1000 + 1000];
}

/** Turns that calls share whose waits allow the same one. The returned function leaves the turn. */
function createTurns(): (wait: Wait, go: () => void) => () => void {
  let last: { at: number; calls: Set<() => void> } | undefined;
  return ([leastMs, mostMs], go) => {
    const now = performance.now();
    let turn = last;
    if (turn === undefined || turn.at < now + leastMs || turn.at > now + mostMs) {
      const waitMs = leastMs + sameMs + Math.random() * (mostMs - leastMs - sameMs);
      const calls = new Set<() => void>();
      turn = { at: now + waitMs, calls };
      last = turn;
      setTimeout(() => {
        for (const call of calls) call();
      }, waitMs);
    }
    const { calls } = turn;
    calls.add(go);
    return () => calls.delete(go);
  };
}
