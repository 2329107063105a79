import { PerformanceObserver } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage, and resolves when those who observe it, in the order they came, were told. */
export async function collectGarbage(): Promise<void> {
  const told = Promise.withResolvers<void>();
  const observer = new PerformanceObserver(() => told.resolve());
  observer.observe({ entryTypes: ["gc"] });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  await told.promise;
  observer.disconnect();
}
