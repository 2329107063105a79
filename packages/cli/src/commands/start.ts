import { dataDirectoryOption, defineCommand, integerOption } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront start`. */
export const startCommand = defineCommand({
  summary: "Run the whole stack on this machine.",
  usage: "[options]",
  options: {
    port: { type: "string", value: "N", help: "Port of the gateway; default PORT, else 4000." },
    ...dataDirectoryOption,
    empty: { type: "boolean", help: "Make no sample data on the first start." },
    offers: { type: "string", value: "N", help: "Offers of the sample data; default 1000." },
    import: {
      type: "string",
      multiple: true,
      value: "FILE…",
      help: "Import these files before it is ready.",
    },
  },
  notes: [
    "The first start makes sample data unless the database has records; later starts reuse the\ndata. Ctrl-C ends the stack in order, a second one at once.",
    "Variables: PORT, DATA_DIR, DATABASE_URL, DATABASE_DRIVER, INGEST_TOKEN, LOG_LEVEL (default warn),\nand the services' ports CATALOG_PORT (4101), CATALOG_GRPC_PORT (4201), and so on with PRICING (4102,\n4202), REVIEWS (4103, 4203), CHANGELOG (4104, 4204) and SEARCH (4105, 4205).",
    "With ADMIN_TOKEN it sends webhooks: WEBHOOKS_PORT (4106), WEBHOOKS_GRPC_PORT (4206),\nWEBHOOK_ALLOWED_NETWORKS.",
    "Exit status 1 when it cannot start, or a file was not imported whole.",
  ],
  takesPositionals: true,
  async run({ values, positionals }, context) {
    const { import: imported, json = false, empty = false } = values;
    if (positionals.length > 0 && imported === undefined) {
      throw usageError(`Files are imported by --import ${positionals.join(" ")}.`);
    }
    const port =
      values.port === undefined
        ? undefined
        : integerOption("port", values.port, { min: 0, max: 65_535 });
    const offers = integerOption("offers", values.offers ?? "1000", { min: 0, max: 1_000_000 });
    const { runStart } = await import("../stack/run-start.ts");
    const sampleOffers = empty ? undefined : offers;
    const files = [...(imported ?? []), ...positionals];
    return await runStart({ port, sampleOffers, files, json }, context);
  },
});
