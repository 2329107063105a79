/**
 * Messages in groups: those that arrived while the reader was busy with the group before. So a reader
 * that is slow for one message at a time keeps up, and one that is quick gets each by itself.
 *
 * Reads ahead until `isFull` says of a group that it is enough. Fails as the source fails, after what
 * came before. Whoever stops reading must end the source.
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
