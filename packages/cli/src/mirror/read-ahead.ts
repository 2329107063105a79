/**
 * Reads a source ahead while its reader is busy, and gives all elements since the last read at once.
 *
 * @param most elements that are read ahead before the source waits
 */
export async function* readAhead<Element>(
  source: AsyncIterable<readonly Element[]>,
  most: number,
): AsyncGenerator<Element[]> {
  let ready: Element[] = [];
  let isOver = false;
  let failure: unknown;
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  let isLeft = false;
  const isFull = () => ready.length >= most && !isLeft;
  const read = async () => {
    for await (const elements of source) {
      ready.push(...elements);
      if (elements.length > 0) change();
      while (isFull()) await changed.promise;
      if (isLeft) return;
    }
  };
  const reading = read()
    .catch((error: unknown) => {
      failure = error ?? new Error("the source failed");
    })
    .finally(() => {
      isOver = true;
      change();
    });
  try {
    for (;;) {
      if (ready.length > 0) {
        const taken = ready;
        ready = [];
        change();
        yield taken;
      } else if (isOver) {
        if (failure !== undefined) throw failure;
        return;
      } else {
        await changed.promise;
      }
    }
  } finally {
    isLeft = true;
    change();
    void reading;
  }
}
