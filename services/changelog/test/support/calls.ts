import { ConnectError } from "@connectrpc/connect";

/** What a call failed with. */
export async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  return await call.then(
    () => {
      throw new Error("the call did not fail");
    },
    (error: unknown) => ConnectError.from(error),
  );
}

export function iteratorOf<Message>(stream: AsyncIterable<Message>): AsyncIterator<Message> {
  return stream[Symbol.asyncIterator]();
}

/** A stream of one message. */
export async function* once<Message>(message: Message): AsyncGenerator<Message> {
  yield message;
}
