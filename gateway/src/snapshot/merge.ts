/** What one of several sources gave. */
export interface FromSource<Name, Message> {
  name: Name;
  message: Message;
}

/**
 * The messages of several sources as they come, each source's in order. Of each no more than one is taken ahead
 * of the reader. Ends with the first source that ends, and fails with the first that fails.
 */
export async function* merge<Name, Message>(
  sources: ReadonlyMap<Name, AsyncGenerator<Message>>,
): AsyncGenerator<FromSource<Name, Message>> {
  const next = async (name: Name, source: AsyncGenerator<Message>) => ({
    name,
    source,
    result: await source.next(),
  });
  const coming = new Map(
    Array.from(sources, ([name, source]) => [name, next(name, source)] as const),
  );
  try {
    for (;;) {
      // Each of them has signs of life every few seconds, so no race is remembered for long.
      const { name, source, result } = await Promise.race(coming.values());
      if (result.done === true) return;
      // Behind the others, so that one that always has something does not keep them waiting.
      coming.delete(name);
      coming.set(name, next(name, source));
      yield { name, message: result.value };
    }
  } finally {
    // They are told of their end by the signal that they share.
    for (const each of coming.values()) each.catch(() => undefined);
  }
}
