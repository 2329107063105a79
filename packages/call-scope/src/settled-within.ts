/**
 * What is settled in time, in milliseconds; undefined when it is late. Fails as the work fails; work that is late
 * goes on, and if it fails then nobody is told.
 */
export async function settledWithin<Result>(
  limitMs: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
