import { readMetrics } from "@storefront/testkit";
import type { MetricsPage } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";
import { documentedMetrics } from "./documented-metrics.ts";
import { beginEndlessWrite } from "./endless-write.ts";
import { makeTraffic, tellTales } from "./make-traffic.ts";
import { startProcesses } from "./start-processes.ts";
import type { Processes } from "./start-processes.ts";

const documented = documentedMetrics();
const processNames = [
  "gateway",
  "catalog",
  "pricing",
  "reviews",
  "changelog",
  "search",
  "webhooks",
];

let processes: Processes;
let endWrite: () => void;
let pages: Map<string, MetricsPage>;

beforeAll(async () => {
  processes = await startProcesses();
  await makeTraffic(processes);
  // So little traffic may cause no collection.
  await collectGarbage();
  // The processes may have no system request in progress.
  endWrite = await beginEndlessWrite();
  const read = [...processes.metricsUrls].map(
    async ([name, url]) => [name, await readMetrics(url)] as const,
  );
  pages = new Map(await Promise.all(read));
});
afterAll(async () => {
  endWrite();
  await processes.close();
});

describe.each(processNames)("metrics of the %s", (name) => {
  const documentedHere = documented.filter((metric) => metric.processes.includes(name));
  const familyOf = (metric: string) => pages.get(name)?.get(metric);

  test("are the documented ones, no more and no less", () => {
    const printed = [...(pages.get(name) ?? [])].map(([metric, { type }]) => `${metric} ${type}`);
    const expected = documentedHere.map((metric) => `${metric.name} ${metric.type}`);
    expect(printed.toSorted()).toEqual(expected.toSorted());
  });

  test("have the documented labels and that of the process", () => {
    const printed = documentedHere.map((metric) => {
      const samples = familyOf(metric.name)?.samples ?? [];
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
      for (const ofAll of ["service", "le"]) labels.delete(ofAll);
      return [metric.name, samples.length === 0 ? metric.labels : [...labels].toSorted()];
    });
    expect(printed).toEqual(documentedHere.map((metric) => [metric.name, metric.labels]));
    const samples = [...(pages.get(name)?.values() ?? [])].flatMap((family) => family.samples);
    expect(new Set(samples.map(({ labels }) => labels["service"]))).toEqual(new Set([name]));
  });

  test("have no id, path or text of a write or request in a label", () => {
    const samples = [...(pages.get(name)?.values() ?? [])].flatMap((family) => family.samples);
    const values = new Set(samples.flatMap(({ labels }) => Object.values(labels)));
    for (const value of values) {
      expect(tellTales.filter((tellTale) => value.includes(tellTale))).toEqual([]);
      expect(value).toMatch(/^[\w./+-]{1,80}$/);
    }
  });
});

test("every metric has a sample after some traffic, so that its labels are compared", () => {
  const empty = documented.filter(({ name }) =>
    [...pages.values()].every((page) => (page.get(name)?.samples ?? []).length === 0),
  );
  expect(empty).toEqual([]);
});

test("names follow Prometheus's conventions, and have the unit of times and sizes", () => {
  // The client library's own names are not ours to choose.
  const ours = documented.filter(({ name }) => !/^(?:nodejs|process)_/.test(name));
  for (const { name, type, unit, meaning } of ours) {
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    expect([name, /_seconds(?:_total)?$/.test(name)]).toEqual([name, unit === "seconds"]);
    expect([name, /_bytes(?:_total)?$/.test(name)]).toEqual([name, unit === "bytes"]);
    expect(meaning).toMatch(/\.$/);
  }
});

test("no sample of ours is NaN, and no metric has more than 1,000 series", () => {
  for (const page of pages.values()) {
    for (const [name, { samples }] of page) {
      const broken = samples.filter(({ value }) => Number.isNaN(value));
      expect([name, name.startsWith("nodejs_") ? [] : broken]).toEqual([name, []]);
      expect(samples.length).toBeLessThan(1000);
    }
  }
});
