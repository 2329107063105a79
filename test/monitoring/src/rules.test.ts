import { anchorsOf } from "@storefront/test-contract/read-markdown";
import { describeUnlessMissing, findProgram } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it, test } from "vitest";
import { documentedMetrics } from "./documented-metrics.ts";
import { alertsSeenFiring, dashboardPanels, rulesFolder, rulesOf } from "./monitoring-files.ts";
import { namesOf } from "./query-names.ts";

const recorded = rulesOf("recording-rules.yaml");
const alerts = rulesOf("alerting-rules.yaml");
const panels = dashboardPanels();
const documented = new Map(documentedMetrics().map((metric) => [metric.name, metric]));
const recordedNames = new Set(recorded.map(({ record }) => record));

/** Labels that Prometheus adds, and those of every histogram and every process. */
const commonLabels = new Set(["service", "instance", "le"]);

// Those of the rules first.
const queries = [
  ...[...recorded, ...alerts].map(({ record, alert, expr }) => [record ?? alert ?? "", expr]),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
] as const;

const runProgram = promisify(execFile);
const missing =
  findProgram("promtool") === undefined
    ? "no promtool: install Debian's package prometheus"
    : undefined;

describeUnlessMissing("promtool", missing, () => {
  const promtool = (...parameters: string[]) =>
    runProgram("promtool", parameters, { cwd: rulesFolder });

  it("accepts the rules", async () => {
    const { stdout } = await promtool(
      "check",
      "rules",
      "recording-rules.yaml",
      "alerting-rules.yaml",
    );
    expect(stdout).toContain("SUCCESS");
  });

  it("finds that a healthy stack fires nothing, and that each alert fires for its fault", async () => {
    const { stdout } = await promtool("test", "rules", "rules.test.yaml");
    expect(stdout).toContain("SUCCESS");
  });
});

test.each(queries)("%s uses metrics and labels that exist", (_title, query = "") => {
  const { metrics, labels } = namesOf(query);
  expect(metrics.size).toBeGreaterThan(0);
  const known = [...metrics].map((name) => {
    if (recordedNames.has(name)) return [];
    const histogram = documented.get(name.replace(/_(?:bucket|sum|count)$/, ""));
    const metric = histogram?.type === "histogram" ? histogram : documented.get(name);
    expect([name, metric?.type === "histogram"]).toEqual([
      name,
      /_(?:bucket|sum|count)$/.test(name),
    ]);
    return metric?.labels ?? [];
  });
  const unknown = labels.difference(
    new Set([...commonLabels, ...known.flat(), ...ofRecorded(metrics)]),
  );
  expect([...unknown]).toEqual([]);
});

test("every recording rule is used", () => {
  const used = new Set(queries.flatMap(([, query = ""]) => [...namesOf(query).metrics]));
  expect([...recordedNames].filter((name) => name !== undefined && !used.has(name))).toEqual([]);
});

describe.each(alerts.map((alert) => [alert.alert ?? "", alert] as const))(
  "the alert %s",
  (name, { labels = {}, annotations = {} }) => {
    it("has a severity, a summary and a description", () => {
      expect(["page", "ticket"]).toContain(labels["severity"]);
      expect(annotations["summary"]).toBeTypeOf("string");
      expect(annotations["description"]).toMatch(/\.$/);
    });

    it("links to its runbook", () => {
      const [file, anchor = ""] = annotations["runbook_url"]?.split("#") ?? [];
      // Below a URL that the operator chooses.
      expect(file).toBe("{{ $externalLabels.runbooks }}docs/operations/runbooks.md");
      const path = new URL("../../../docs/operations/runbooks.md", import.meta.url);
      const runbooks = readFileSync(path, "utf8");
      expect(anchor).toBe(name.toLowerCase());
      expect(anchorsOf(runbooks)).toContain(anchor);
    });

    it("fires in a test of the rules", () => {
      expect(alertsSeenFiring()).toContain(name);
    });
  },
);

describe("the dashboard", () => {
  it("shows the health of the stack first", () => {
    const rows = panels.flatMap(({ type }, index) => (type === "row" ? [index] : []));
    const firstRow = panels.slice(rows[0], rows[1]).map(({ title }) => title);
    expect(firstRow.slice(1)).toEqual([
      "Requests",
      "Errors",
      "p99",
      "Hit ratio",
      "Feed lag",
      "Index lag",
    ]);
  });

  it("shows every metric of ours, directly or through a recording rule", () => {
    const asked = queries
      .slice(alerts.length + recorded.length)
      .flatMap(([, query = ""]) => [...namesOf(query).metrics]);
    const behind = recorded
      .filter(({ record = "" }) => asked.includes(record))
      .flatMap(({ expr }) => [...namesOf(expr).metrics]);
    const shown = new Set(
      [...asked, ...behind].map((name) => name.replace(/_(?:bucket|sum|count)$/, "")),
    );
    const ours = [...documented.keys()].filter((name) => !/^(?:nodejs|process)_/.test(name));
    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });

  it("has a position for every panel, and no two panels at one position", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from(
        { length: w * h },
        (_none, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`,
      );
    });
    expect(new Set(cells).size).toBe(cells.length);
  });
});

/** Labels that the recorded rules among these names group by. */
function ofRecorded(names: ReadonlySet<string>): string[] {
  return recorded
    .filter(({ record = "" }) => names.has(record))
    .flatMap(({ expr }) => [...namesOf(expr).labels]);
}
