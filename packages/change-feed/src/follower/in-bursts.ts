/**
 * Groups messages that arrived while the reader was busy, so that a slow reader keeps up and a fast one gets
 * each message alone.
 *
 * Reads ahead until `isFull` accepts a group. Fails as the source fails, after the earlier messages. A reader
 * that stops must end the source.
 */
export async function* inBursts<Message>(
  source: AsyncIterable<Message>,
  isFull: (burst: readonly Message[]) => boolean,
): AsyncGenerator<Message[]> {
  let burst: Message[] = [];
  let isEnded = false;
  let failure: { readonly error: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();

  async function readAhead(): Promise<void> {
    try {
      for await (const message of source) {
        if (isFull(burst)) await taken.promise;
        burst.push(message);
        changed.resolve();
      }
    } catch (error) {
      failure = { error };
    } finally {
      isEnded = true;
      changed.resolve();
    }
  }
  void readAhead();

  try {
    for (;;) {
      await changed.promise;
      if (burst.length === 0) break;
      const messages = burst;
      burst = [];
      if (!isEnded) changed = Promise.withResolvers<void>();
      taken.resolve();
      taken = Promise.withResolvers<void>();
      yield messages;
    }
  } finally {
    taken.resolve();
  }
  if (failure !== undefined) throw failure.error;
}
