import { serverNames, serviceNames, serviceVariables } from "@storefront/process";
import type { Environment, ServerName } from "@storefront/process";
import { dataDirectoryOption, defineCommand } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront migrate`. */
export const migrateCommand = defineCommand({
  summary: "Bring the database up to date, for every service or one.",
  usage: "[options]",
  options: {
    service: {
      type: "string",
      value: "NAME",
      help: `One service only: ${serverNames.join(", ")}.`,
    },
    ...dataDirectoryOption,
  },
  notes: [
    "The database of a service is <SERVICE>_DATABASE_URL, else DATABASE_URL (with DATABASE_DRIVER),\nelse the embedded one in the data directory.",
    "The tables of webhooks are skipped where each service has a database of its own, and webhooks have\nnone.",
    "It waits for other migrators and for writers without a limit, and says so. What a newer\nversion has applied is left as it is; the exit status is 0 then too.",
    "`start` migrates on its own.",
  ],
  async run({ values }, { terminal, env, dataDirectory }) {
    const services = values.service === undefined ? migratedIn(env) : [serviceOf(values.service)];
    const { runMigrate } = await import("../stack/services.ts");
    const outcomes = await runMigrate({
      services,
      dataDirectory,
      env,
      onWait: (service, reason) => terminal.note(`${service}: waiting for ${reason}`),
    });
    for (const [service, { applied, newer }] of outcomes) {
      if (newer.length > 0) {
        terminal.note(`${service}: a newer version has applied ${newer.join(", ")}; left as it is`);
      }
      if (values.json !== true) {
        terminal.out(`${service}: ${applied.length === 0 ? "up to date" : applied.join(", ")}`);
      }
    }
    if (values.json === true) {
      const entries = [...outcomes];
      const applied = Object.fromEntries(entries.map(([name, outcome]) => [name, outcome.applied]));
      const newer = Object.fromEntries(entries.map(([name, outcome]) => [name, outcome.newer]));
      terminal.out(JSON.stringify({ applied, newer }));
    }
    return 0;
  },
});

/** All that have a database: webhooks are optional, as is theirs. */
function migratedIn(env: Environment): readonly ServerName[] {
  const hasDatabase = (name: ServerName) => Boolean(env[serviceVariables(name).databaseUrl]);
  const isShared = Boolean(env["DATABASE_URL"]) || !serviceNames.every(hasDatabase);
  return isShared || hasDatabase("webhooks") ? serverNames : serviceNames;
}

function serviceOf(text: string): ServerName {
  const service = serverNames.find((name) => name === text);
  if (service === undefined) {
    throw usageError(`--service must be one of ${serverNames.join(", ")}.`);
  }
  return service;
}
