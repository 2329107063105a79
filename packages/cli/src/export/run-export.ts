import { Code, ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { serviceNames } from "@storefront/process";
import type { CommandContext } from "../command.ts";
import { ingestServices, observationLine } from "../import/ingest-services.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { UserError, userErrorOf } from "../user-error.ts";
import { writeLines } from "./write-lines.ts";

/** What was exported. */
export interface ExportSummary {
  /** Lines of each kind. */
  kinds: Record<string, number>;
  file: string;
}

/**
 * Writes everything that a running stack stores into a file of the import format.
 *
 * @throws UserError when there is no stack, it breaks off, or the file cannot be written.
 */
export async function runExport(file: string, context: CommandContext): Promise<ExportSummary> {
  await using connections = await createServiceConnections(context);
  const counts: Record<string, number> = {};
  const progress = context.terminal.progress({ label: "Exporting" });
  let lines = 0;

  async function* texts(): AsyncGenerator<string> {
    const transports = new Map<string, Transport>();
    for (const service of serviceNames) {
      const transport = await connections.open(service);
      if (transport !== undefined) transports.set(service, transport);
    }
    // In this order the changelog has the entries of every catalogue state that was given.
    for (const service of serviceNames) {
      const transport = transports.get(service);
      if (transport === undefined) continue;
      // The entries of these states are in the export too. Prices may be in regions that are gone, and older than theirs.
      const isRestored =
        service === "pricing" || (service === "catalog" && transports.has("changelog"));
      try {
        // An export takes as long as its reader.
        const batches = ingestServices[service].export(transport, { timeoutMs: 0 });
        for await (const { observations } of batches) {
          for (const { record } of observations) {
            const kind = record.case ?? "";
            counts[kind] = (counts[kind] ?? 0) + 1;
          }
          lines += observations.length;
          progress.update(lines, `${lines.toLocaleString("en")} records`);
          yield observations
            .map((observation) => observationLine(observation, isRestored))
            .join("");
        }
      } catch (error) {
        throw exportError(service, error);
      }
    }
  }

  try {
    await writeLines(file, texts());
  } catch (error) {
    progress.end("broken off");
    throw error;
  }
  progress.end(`${lines.toLocaleString("en")} records`);
  return { kinds: counts, file };
}

function exportError(service: string, error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error;
  if (error.code === Code.Unauthenticated) {
    return new UserError(
      `The ${service} service refused the ingest token (INGEST_TOKEN, or ingest-token in DATA_DIR).`,
      { cause: error },
    );
  }
  return userErrorOf(`The export from the ${service} service broke off`, error);
}
