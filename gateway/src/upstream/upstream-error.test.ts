import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "@storefront/contracts/google/rpc/error_details";
import { expect, it } from "vitest";
import { upstreamErrorOf } from "./upstream-error.ts";

const refusal = (code: Code, reason: string) =>
  new ConnectError("refused", code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain: "storefront" } },
  ]);

it.each([
  ["overloaded", Code.ResourceExhausted, "DATABASE_OVERLOADED", "SERVICE_UNAVAILABLE"],
  ["full", Code.ResourceExhausted, "STORAGE_FULL", "SERVICE_UNAVAILABLE"],
  ["in two minds", Code.Aborted, "TRANSACTION_CONFLICT", "SERVICE_UNAVAILABLE"],
  ["locked", Code.Unavailable, "LOCK_TIMEOUT", "SERVICE_UNAVAILABLE"],
  ["giving too much", Code.ResourceExhausted, "", "BAD_GATEWAY"],
  ["late", Code.DeadlineExceeded, "", "GATEWAY_TIMEOUT"],
])("tells clients whether to try again when a database is %s", (_what, code, reason, expected) => {
  expect(upstreamErrorOf("catalog", refusal(code, reason))).toMatchObject({ code: expected });
});
