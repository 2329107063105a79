import { describe, expect, it } from "vitest";
import type { LeaseState } from "./feed-lease.ts";
import { TakeOver } from "./stand-by.ts";

const held: LeaseState = {
  holder: "other",
  version: 1,
  isExpired: false,
  cursor: 5n,
  snapshotRecords: undefined,
};
const expired: LeaseState = { ...held, isExpired: true };

/** A process that started while another held the lease, and is on stand-by. */
function standingBy(): TakeOver {
  const takeOver = new TakeOver(1);
  expect(takeOver.decide(held, undefined, 0)).toBe("wait");
  expect(takeOver.decide(expired, undefined, 0)).toBe("take");
  return takeOver;
}

describe("a process on stand-by", () => {
  it("takes a free lease at once", () => {
    expect(new TakeOver(1).decide({ ...held, holder: undefined }, undefined, 0)).toBe("take");
  });

  it("leaves an expired lease alone while there is nothing to apply", () => {
    const takeOver = standingBy();
    expect(takeOver.decide(expired, { newest: 5n, reportNumber: 0 }, 0)).toBe("idle");
    expect(takeOver.decide(expired, { newest: 5n, reportNumber: 1 }, 60_000)).toBe("idle");
  });

  it("gives the holder a second for an entry that was just written", () => {
    const takeOver = standingBy();
    expect(takeOver.decide(expired, { newest: 5n, reportNumber: 0 }, 0)).toBe("idle");
    expect(takeOver.decide(expired, { newest: 6n, reportNumber: 1 }, 60_000)).toBe("wait");
    expect(takeOver.decide(expired, { newest: 6n, reportNumber: 1 }, 60_999)).toBe("wait");
    expect(takeOver.decide(expired, { newest: 6n, reportNumber: 1 }, 61_000)).toBe("take");
  });

  it("takes over an abandoned snapshot, whatever the log reports", () => {
    const takeOver = standingBy();
    const left = { ...expired, snapshotRecords: 7 };
    expect(takeOver.decide(left, { newest: 5n, reportNumber: 0 }, 0)).toBe("wait");
    expect(takeOver.decide(left, { newest: 5n, reportNumber: 0 }, 1_000)).toBe("take");
  });

  it("waits while the holder makes progress", () => {
    const takeOver = standingBy();
    for (let n = 0n; n < 10n; n++) {
      const state = { ...expired, cursor: 5n + n };
      expect(takeOver.decide(state, { newest: 99n, reportNumber: 0 }, Number(n) * 900)).toBe(
        "wait",
      );
    }
  });

  it("does not mistake an old report for a log that went back", () => {
    const takeOver = standingBy();
    const state = { ...expired, cursor: 9n };
    expect(takeOver.decide(state, { newest: 7n, reportNumber: 0 }, 0)).toBe("idle");
    expect(takeOver.decide(state, { newest: 9n, reportNumber: 1 }, 60_000)).toBe("idle");
  });

  it("takes over when the log has gone back and the holder does not react", () => {
    const takeOver = standingBy();
    expect(takeOver.decide(expired, { newest: 5n, reportNumber: 0 }, 0)).toBe("idle");
    expect(takeOver.decide(expired, { newest: 3n, reportNumber: 1 }, 10_000)).toBe("wait");
    expect(takeOver.decide(expired, { newest: 3n, reportNumber: 1 }, 11_000)).toBe("take");
  });

  it("never takes from a newer version, and at once from an older one", () => {
    const takeOver = new TakeOver(2);
    const newer = { ...expired, holder: undefined, version: 3 };
    expect(takeOver.decide(newer, { newest: 99n, reportNumber: 0 }, 0)).toBe("idle");
    expect(takeOver.isOutdated).toBe(true);
    expect(takeOver.decide({ ...held, version: 1 }, undefined, 0)).toBe("take");
    expect(takeOver.isOutdated).toBe(false);
  });
});
