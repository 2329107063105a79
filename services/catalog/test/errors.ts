import { ConnectError } from "@connectrpc/connect";
import type { Code } from "@connectrpc/connect";
import type { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf, fieldViolationsOf } from "@storefront/rpc";

/** What a refused call tells by codes. */
export interface Refusal {
  code: Code;
  reason: ErrorReason | undefined;
  metadata: Record<string, string>;
  /** Names of the fields at fault. */
  fields: string[];
}

/** How a call is refused; throws when it is answered. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConnectError))
    throw new Error("the call was not refused", { cause: error });
  const info = errorInfoOf(error);
  return {
    code: error.code,
    reason: info?.reason,
    metadata: info?.metadata ?? {},
    fields: fieldViolationsOf(error).map(({ field }) => field),
  };
}
