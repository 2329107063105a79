import { Code, ConnectError } from "@connectrpc/connect";

/** A message that is larger than may be sent in its direction. */
export function messageTooLarge(limitBytes: number): ConnectError {
  return new ConnectError(`the message is larger than ${limitBytes} bytes`, Code.ResourceExhausted);
}

/** Bytes that are no message of the method's type. */
export function invalidMessage(cause: unknown): ConnectError {
  return new ConnectError(
    "the body is not a message of the method's type",
    Code.InvalidArgument,
    undefined,
    undefined,
    cause,
  );
}
