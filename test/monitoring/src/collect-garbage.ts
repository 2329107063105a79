import { PerformanceObserver } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage, and resolves when the earlier observers of it have been notified. */
export async function collectGarbage(): Promise<void> {
  const notified = Promise.withResolvers<void>();
  const observer = new PerformanceObserver(() => notified.resolve());
  observer.observe({ entryTypes: ["gc"] });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  await notified.promise;
  observer.disconnect();
}
