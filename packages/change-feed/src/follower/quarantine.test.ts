import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { DatabaseUnavailableError } from "@storefront/database";
import { ServiceError, unavailable } from "@storefront/rpc";
import { describe, expect, it } from "vitest";
import { LeaseLostError } from "./feed-lease.ts";
import { beginningOfLog } from "../log/log-source.ts";
import { CursorWentBackError } from "./entry-applier.ts";
import { isEntryFailure } from "./quarantine.ts";

/** An error as PostgreSQL's drivers throw it. */
function serverError(code: string): Error {
  return Object.assign(new Error("refused"), { code, severity: "ERROR" });
}

function refusal(code: Code): ServiceError {
  return new ServiceError({ code, reason: ErrorReason.INVALID_FIELD, message: "refused" });
}

describe("a failure of applying entries", () => {
  it.each(["22021", "22P02", "23505", "23502", "21000", "54000"])(
    "is the entry's when the database rejects its values (%s)",
    (code) => {
      expect(isEntryFailure(serverError(code))).toBe(true);
    },
  );

  it.each([
    ["serialization", "40001"],
    ["deadlock", "40P01"],
    ["lock timeout", "55P03"],
    ["statement timeout", "57014"],
    ["shutdown", "57P01"],
    ["disk full", "53100"],
    ["too many connections", "53300"],
    ["a table that is not migrated yet", "42P01"],
    ["a column that is not migrated yet", "42703"],
    ["a server that only reads", "25006"],
    ["internal", "XX000"],
  ])("is not the entry's for %s (%s)", (_name, code) => {
    expect(isEntryFailure(serverError(code))).toBe(false);
  });

  it("is the entry's when code cannot read it, or a service rejects its values", () => {
    expect(isEntryFailure(new TypeError("no key"))).toBe(true);
    expect(isEntryFailure(new Error("premature end"))).toBe(true);
    expect(isEntryFailure(refusal(Code.InvalidArgument))).toBe(true);
  });

  it("is not the entry's when something is unavailable, or another process applies the feed", () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    expect(isEntryFailure(new DatabaseUnavailableError("CONNECTION_LOST", refused))).toBe(false);
    expect(isEntryFailure(unavailable("typesense", refused))).toBe(false);
    expect(isEntryFailure(new TypeError("fetch failed", { cause: refused }))).toBe(false);
    expect(isEntryFailure(refusal(Code.ResourceExhausted))).toBe(false);
    expect(isEntryFailure(new LeaseLostError("catalog"))).toBe(false);
    expect(isEntryFailure(new CursorWentBackError("catalog", beginningOfLog))).toBe(false);
    expect(isEntryFailure(new DOMException("stopped", "AbortError"))).toBe(false);
  });
});
