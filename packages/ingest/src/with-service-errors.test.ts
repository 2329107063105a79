import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { DatabaseOverloadedError, DatabaseUnavailableError } from "@storefront/database";
import { expect, it } from "vitest";
import { serviceErrorOf } from "./with-service-errors.ts";

const state = (code: string) => Object.assign(new Error("from the server"), { code });

it.each([
  [state("40001"), Code.Aborted, ErrorReason.TRANSACTION_CONFLICT],
  [state("40P01"), Code.Aborted, ErrorReason.TRANSACTION_CONFLICT],
  [state("55P03"), Code.Unavailable, ErrorReason.LOCK_TIMEOUT],
  [state("53100"), Code.ResourceExhausted, ErrorReason.STORAGE_FULL],
  [state("53200"), Code.ResourceExhausted, ErrorReason.STORAGE_FULL],
  [state("53300"), Code.ResourceExhausted, ErrorReason.DATABASE_OVERLOADED],
  [state("57014"), Code.DeadlineExceeded, undefined],
  [
    new DatabaseOverloadedError("QUEUE_FULL"),
    Code.ResourceExhausted,
    ErrorReason.DATABASE_OVERLOADED,
  ],
  [
    new DatabaseUnavailableError("CONNECTION_LOST", undefined),
    Code.Unavailable,
    ErrorReason.DEPENDENCY_UNAVAILABLE,
  ],
])("maps %s to an error for callers, and preserves it as the cause", (error, code, reason) => {
  expect(serviceErrorOf(error)).toMatchObject({ code, ...(reason && { reason }), cause: error });
});

it.each([state("23505"), new TypeError("mine"), undefined])("does not change %s", (error) => {
  expect(serviceErrorOf(error)).toBeUndefined();
});
