/** How long an answer may stand still, in milliseconds: the origin promises a sign of life every few seconds. */
const silenceLimitMs = 30_000;

/**
 * The bytes of an answer, as its reader takes them.
 *
 * @throws Error when nothing comes for half a minute
 */
export async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<Read>(read: Promise<Read>): Promise<Read> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => silence.reject(new Error(`nothing came for ${silenceLimitMs / 1000} s`)),
    silenceLimitMs,
  );
  try {
    return await Promise.race([read, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
