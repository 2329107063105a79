import { expect, test } from "vitest";
import { Counter, createMetrics } from "../index.ts";

test("separates the metrics of services in one process", async () => {
  const catalog = createMetrics({ service: "catalog" });
  const pricing = createMetrics({ service: "pricing" });
  const options = { name: "reads_total", help: "Reads." };
  new Counter({ ...options, registers: [catalog] }).inc(2);
  new Counter({ ...options, registers: [pricing] }).inc(3);
  expect(await catalog.metrics()).toContain('reads_total{service="catalog"} 2');
  expect(await pricing.metrics()).toContain('reads_total{service="pricing"} 3');
});

test("collects metrics of the process on request", async () => {
  const metrics = createMetrics({ service: "catalog", processMetrics: true });
  expect(await metrics.metrics()).toContain("process_cpu_seconds_total");
});
