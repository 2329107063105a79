import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { parse } from "yaml";

const folder = new URL("../../../deploy/monitoring/", import.meta.url);
export const rulesFolder = fileURLToPath(new URL("prometheus/", folder));

const zRule = z.strictObject({
  record: z.string().optional(),
  alert: z.string().optional(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const zRuleFile = z.object({ groups: z.array(z.object({ rules: z.array(zRule) })) });

/** A Prometheus rule: a recording rule or an alert. */
export type Rule = z.output<typeof zRule>;

/** The rules of a file below `deploy/monitoring/prometheus`. */
export function rulesOf(file: string): Rule[] {
  return zRuleFile
    .parse(parse(readFileSync(`${rulesFolder}${file}`, "utf8")))
    .groups.flatMap(({ rules }) => rules);
}

const zPanel = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z.array(z.object({ expr: z.string() })).default([]),
});
const zDashboard = z.object({ panels: z.array(zPanel) });

/** A panel of the dashboard; one of type `row` begins a row. */
export type Panel = z.output<typeof zPanel>;

/** The panels of the dashboard, in their order. */
export function dashboardPanels(): Panel[] {
  const text = readFileSync(new URL("grafana/storefront.json", folder), "utf8");
  return zDashboard.parse(JSON.parse(text)).panels;
}

/** Names of the alerts that the tests of the rules see firing. */
export function alertsSeenFiring(): Set<string> {
  const text = readFileSync(`${rulesFolder}rules.test.yaml`, "utf8");
  const { tests } = z
    .object({
      tests: z.array(
        z.object({
          promql_expr_test: z.array(
            z.object({ expr: z.string(), exp_samples: z.array(z.unknown()) }),
          ),
        }),
      ),
    })
    .parse(parse(text));
  return new Set(
    tests
      .flatMap((each) => each.promql_expr_test)
      .filter(({ exp_samples }) => exp_samples.length > 0)
      .flatMap(({ expr }) => /alertname="(\w+)"/.exec(expr)?.[1] ?? []),
  );
}
