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
  ["in conflict", Code.Aborted, "TRANSACTION_CONFLICT", "SERVICE_UNAVAILABLE"],
  ["locked", Code.Unavailable, "LOCK_TIMEOUT", "SERVICE_UNAVAILABLE"],
  ["response too large", Code.ResourceExhausted, "", "BAD_GATEWAY"],
  ["late", Code.DeadlineExceeded, "", "GATEWAY_TIMEOUT"],
])("maps a service's error to a code of the gateway: %s", (_what, code, reason, expected) => {
  expect(upstreamErrorOf("catalog", refusal(code, reason))).toMatchObject({ code: expected });
});
