import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp, integerOption } from "../command.ts";
import type { Command } from "../command.ts";
import { usageError } from "../user-error.ts";

const options = {
  ...commonOptions,
  port: { type: "string" },
  "data-dir": { type: "string" },
  empty: { type: "boolean" },
  offers: { type: "string" },
  import: { type: "string", multiple: true },
} as const;

/** Offers of the sample data unless `--offers` says otherwise. */
const defaultOffers = "1000";

/** `storefront start`. */
export const startCommand: Command = {
  summary: "Run the whole stack on this machine.",
  usage: "[options]",
  options: {
    port: { value: "N", help: "Port of the gateway; default PORT, else 4000." },
    "data-dir": dataDirectoryHelp,
    empty: { help: "Make no sample data on the first start." },
    offers: { value: "N", help: "Offers of the sample data; default 1000." },
    import: { value: "FILE…", help: "Import these files before it is ready." },
    ...commonHelp,
  },
  notes: [
    "The first start makes sample data unless the database holds records; later starts reuse what is\nthere. Ctrl-C ends the stack in order, a second one at once.",
    "Variables: PORT, DATA_DIR, DATABASE_URL, DATABASE_DRIVER, INGEST_TOKEN, LOG_LEVEL (default warn),\nand the services' ports CATALOG_PORT (4101), CATALOG_GRPC_PORT (4201), and so on with PRICING (4102,\n4202), REVIEWS (4103, 4203), CHANGELOG (4104, 4204) and SEARCH (4105, 4205).",
    "Exit status 1 when it cannot start, or a file was not imported whole.",
  ],
  async run(parameters, context) {
    const { values, positionals } = parseArgs({
      args: parameters,
      options,
      allowPositionals: true,
    });
    const files = [...(values.import ?? []), ...positionals];
    if (positionals.length > 0 && values.import === undefined) {
      throw usageError(`Files are imported by --import ${positionals.join(" ")}.`);
    }
    const port =
      values.port === undefined
        ? undefined
        : integerOption("port", values.port, { min: 0, max: 65_535 });
    const offers = integerOption("offers", values.offers ?? defaultOffers, {
      min: 0,
      max: 1_000_000,
    });
    const [{ runStart }, { dataDirectoryOf }] = await Promise.all([
      import("../stack/run-start.ts"),
      import("../stack/data-directory.ts"),
    ]);
    return await runStart(
      {
        ...(port === undefined ? {} : { port }),
        dataDirectory: dataDirectoryOf(values["data-dir"], context.env),
        sampleOffers: values.empty === true ? undefined : offers,
        files,
        json: values.json === true,
      },
      context,
    );
  },
};
