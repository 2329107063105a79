import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";

const options = { ...commonOptions, "data-dir": { type: "string" } } as const;

/** `storefront migrate`. */
export const migrateCommand: Command = {
  summary: "Bring the database up to date for every service.",
  usage: "[options]",
  options: { "data-dir": dataDirectoryHelp, ...commonHelp },
  notes: [
    "The database is DATABASE_URL (with DATABASE_DRIVER), else the embedded one in the data directory.",
    "A stack that `start` runs does this by itself.",
  ],
  async run(parameters, { terminal, env }) {
    const { values } = parseArgs({ args: parameters, options });
    const [{ runMigrate }, { dataDirectoryOf }] = await Promise.all([
      import("../stack/run-migrate.ts"),
      import("../stack/data-directory.ts"),
    ]);
    const applied = await runMigrate(dataDirectoryOf(values["data-dir"], env), env);
    if (values.json === true) {
      terminal.out(JSON.stringify({ applied }));
      return 0;
    }
    for (const [service, names] of Object.entries(applied)) {
      terminal.out(`${service}: ${names.length === 0 ? "up to date" : names.join(", ")}`);
    }
    return 0;
  },
};
