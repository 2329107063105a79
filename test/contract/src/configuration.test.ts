import { purgeVariables } from "@storefront/cli/purge-environment";
import { isSecret, serviceNames } from "@storefront/process";
import { gatewayVariables } from "@storefront/gateway";
import { catalogService } from "@storefront/service-catalog";
import { changelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import { reviewsService } from "@storefront/service-reviews";
import { searchService } from "@storefront/service-search";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";

/** A row of the table, of one variable. */
interface Row {
  variable: string;
  processes: readonly string[];
  defaultText: string;
  isSecret: boolean;
  meaning: string;
}

const document = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");

const schemas: Readonly<Record<string, typeof gatewayVariables>> = {
  gateway: gatewayVariables,
  purge: purgeVariables,
  catalog: catalogService.variables,
  pricing: pricingService.variables,
  reviews: reviewsService.variables,
  changelog: changelogService.variables,
  search: searchService.variables,
};

function rowsOf(line: string): Row[] {
  const cells = line.split("|").map((cell) => cell.trim());
  const [, variable = "", processes = "", defaultText = "", secret = "", meaning = ""] = cells;
  const name = /^`([A-Z_<>]+)`$/.exec(variable)?.[1];
  if (name === undefined) return [];
  const listed = processes
    .split(", ")
    .flatMap((process) => (process === "services" ? serviceNames : [process]));
  const row = { defaultText, isSecret: secret === "yes", meaning };
  if (!name.startsWith("<SERVICE>")) return [{ variable: name, processes: listed, ...row }];
  // A service's own variable is a variable of no other process.
  return serviceNames.map((service) => ({
    variable: name.replace("<SERVICE>", service.toUpperCase()),
    processes: listed.filter((process) => process === service || process === "cli"),
    ...row,
  }));
}

const rows = document.split("\n").flatMap(rowsOf);

describe("docs/configuration.md", () => {
  it.each(Object.entries(schemas))(
    "lists the variables of the %s, and no others",
    (process, variables) => {
      const listed = rows.filter((row) => row.processes.includes(process));
      expect(listed.map(({ variable }) => variable).toSorted()).toEqual(
        [...variables.keys()].toSorted(),
      );
    },
  );

  it.each(Object.entries(schemas))("tells the defaults of the %s", (process, variables) => {
    const wrong = rows
      .filter((row) => row.processes.includes(process))
      .filter(({ variable, defaultText }) => {
        const text = defaultOf(variables.get(variable));
        return (
          text !== undefined &&
          !defaultText.includes(`\`${text}\``) &&
          !isInRange(defaultText, text)
        );
      });
    expect(wrong.map(({ variable }) => variable)).toEqual([]);
  });

  it("has a sentence about each variable, each once", () => {
    const variables = rows.map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(rows.filter(({ meaning }) => !/^[A-Z`].+\.$/.test(meaning))).toEqual([]);
  });

  it("tells which ones are secrets, so that a file may hold them", () => {
    expect(rows.filter((row) => row.isSecret !== isSecret(row.variable))).toEqual([]);
  });
});

/** The default as the table writes it; undefined where there is none, or it is no text or number. */
function defaultOf(schema: unknown): string | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  if (schema instanceof z.ZodPrefault) return String(schema.def.defaultValue);
  const { data } = schema.safeParse(undefined);
  return typeof data === "string" || typeof data === "number" ? String(data) : undefined;
}

/** Whether a port is one of `4101` to `4105`. */
function isInRange(cell: string, text: string): boolean {
  const [, from, to] = /^`(\d+)` to `(\d+)`$/.exec(cell) ?? [];
  return from !== undefined && to !== undefined && text >= from && text <= to;
}
