import { parseArgs } from "node:util";
import { startTypesenseDouble } from "./start-typesense-double.ts";

const usage = "usage: typesense-double --port N --api-key K\n";

const { values } = parseArgs({
  options: { port: { type: "string" }, "api-key": { type: "string" } },
});
const port = Number(values.port ?? 8108);
const apiKey = values["api-key"];
if (apiKey === undefined || !Number.isInteger(port)) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const double = await startTypesenseDouble({ port, apiKey });
  process.stdout.write(`A double of Typesense listens on ${double.url}\n`);
  // Whoever started it as a part of its own work has ended, however that was.
  process.once("disconnect", () => void double.close());
  process.channel?.unref();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void double.close());
}
