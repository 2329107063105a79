import { serviceNames, startProcess } from "@storefront/config";
import { migrate } from "@storefront/database";
import { openService } from "@storefront/service-process";
import { createLogger } from "@storefront/telemetry";
import { loadService } from "../stack/services.ts";

// One service of `pnpm dev`, whose name is the parameter: as its own `main.ts` runs it, migrated before.

await startProcess(async () => {
  const name = serviceNames.find((known) => known === process.argv[2]);
  if (name === undefined) throw new Error(`There is no service ${process.argv[2]}.`);
  const { optionsOf, migrations } = await loadService(name);
  const options = optionsOf(process.env);
  const logger = createLogger({ service: name, level: options.logLevel });
  const service = await openService(options, {
    logger,
    isAlone: true,
    prepare: (database) => migrate(database, migrations),
  });
  service.startIndexing();
  return { close: () => service.close(), closeTimeoutMs: options.closeTimeoutMs };
});
