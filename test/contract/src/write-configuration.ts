// Writes the table of docs/configuration.md from the options' schemas; with --check it fails if they differ.
import {
  cliVariables,
  ingestVariables,
  purgeVariables,
  startVariables,
} from "@storefront/cli/variables";
import { gatewayVariables } from "@storefront/gateway";
import { isSecret, serverNames, serviceNames } from "@storefront/process";
import { catalogService } from "@storefront/service-catalog";
import { changelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import { reviewsService } from "@storefront/service-reviews";
import { searchService } from "@storefront/service-search";
import { webhooksService } from "@storefront/service-webhooks";
import { z } from "zod";
import { rewriteDocument, tableOf } from "./generated-table.ts";

const services = [catalogService, pricingService, reviewsService, changelogService, searchService];

/** Variables of each process, in the order of the table. */
const processes = new Map([
  ["gateway", gatewayVariables],
  ...services.map(({ name, variables }) => [name, variables] as const),
  ["webhooks", webhooksService.variables],
  ["start", startVariables],
  ["cli", cliVariables],
  ["ingest", ingestVariables],
  ["purge", purgeVariables],
]);

/** What a service's own variable begins with. Addresses have a row each, since their callers differ. */
const ownPrefix = new RegExp(`^(?:${serverNames.join("|").toUpperCase()})_(?!URL$)`);

/** A row of the table: one variable, or the same one of each service. */
interface Row {
  processes: Set<string>;
  defaults: Set<string>;
  secret: string;
  description: string;
}

const rows = new Map<string, Row>();
for (const [process, variables] of processes) {
  for (const [variable, schema] of variables) {
    const { description = "", defaultText } = z.globalRegistry.get(schema) ?? {};
    if (!/^[A-Z`].+\.$/.test(description))
      throw new Error(`${variable} has no description of one sentence.`);
    const name = `\`${variable.replace(ownPrefix, "<SERVICE>_")}\``;
    const secret = isSecret(variable) ? "yes" : "";
    const row = rows.get(name) ?? {
      processes: new Set(),
      defaults: new Set(),
      secret,
      description,
    };
    row.processes.add(process);
    row.defaults.add(typeof defaultText === "string" ? defaultText : defaultOf(schema));
    rows.set(name, row);
  }
}

/** As an operator would write it. */
function defaultOf(schema: z.core.$ZodType): string {
  const value =
    schema instanceof z.ZodPrefault ? schema.def.defaultValue : z.safeParse(schema, undefined).data;
  return ["string", "number", "boolean"].includes(typeof value) ? `\`${String(value)}\`` : "none";
}

const serviceList = serviceNames.join(", ");
const cells = [...rows].map(([name, { processes: names, defaults, secret, description }]) => [
  name,
  [...names].join(", ").replace(serviceList, "services"),
  [...defaults].filter((_, at) => at === 0 || at === defaults.size - 1).join(" to "),
  secret,
  description,
]);
const table = tableOf([["variable", "processes", "default", "secret", "meaning"], ...cells]);
rewriteDocument("configuration.md", (before) =>
  before.replace(
    /(?<=<!-- generated from the schemas of the options -->\n\n)[\s\S]*(?=\n\n<!-- end of what is generated -->)/,
    () => table,
  ),
);
