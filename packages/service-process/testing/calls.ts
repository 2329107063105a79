import { ConnectError } from "@connectrpc/connect";
import type { Code } from "@connectrpc/connect";
import { errorInfoOf, fieldViolationsOf } from "@storefront/rpc";

type ErrorInfo = NonNullable<ReturnType<typeof errorInfoOf>>;

/** The codes of a rejected call. */
export interface Refusal {
  readonly code: Code;
  readonly reason: ErrorInfo["reason"] | undefined;
  readonly metadata: ErrorInfo["metadata"];
  /** Names of the fields at fault. */
  readonly fields: readonly string[];
}

/** The refusal of a call; throws when the call succeeds. */
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

/** A stream of one message. */
export async function* once<Message>(message: Message): AsyncGenerator<Message> {
  yield message;
}
