import { serviceNames, startProcess } from "@storefront/process";
import { migrate } from "@storefront/database";
import { runService } from "@storefront/service-process";
import { loadService } from "../stack/services.ts";

// One service of `pnpm dev`, named by the parameter: as its own `main.ts` runs it, after its migrations.

await startProcess(async () => {
  const name = serviceNames.find((known) => known === process.argv[2]);
  if (name === undefined) throw new Error(`There is no service ${process.argv[2]}.`);
  const definition = await loadService(name);
  return await runService(definition, process.env, (database) =>
    migrate(database, definition.migrations),
  );
});
