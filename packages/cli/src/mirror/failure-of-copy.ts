import { ConnectError } from "@connectrpc/connect";
import { ChannelBrokenError } from "../import/ingest-channel.ts";
import { messageOf, UserError } from "../user-error.ts";

/**
 * What to tell of a call to the copy's own services that no waiting mends, such as a refused token: the origin is
 * asked by other means, so no error of this form is its. Any other error as it is.
 */
export function failureOfCopy(error: unknown): unknown {
  if (error instanceof ChannelBrokenError) return told(error.reason, error);
  return error instanceof ConnectError ? told(messageOf(error), error) : error;
}

function told(reason: string, cause: Error): UserError {
  return new UserError(`The copy cannot be written: ${reason}.`, { cause });
}
