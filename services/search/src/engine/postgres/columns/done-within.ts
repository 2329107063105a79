/** What some work gives; undefined when it takes longer. It then goes on, and if it fails nobody is told. */
export async function doneWithin<Value>(
  timeoutMs: number,
  work: Promise<Value>,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
