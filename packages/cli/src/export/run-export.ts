import { Code, ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { serviceNames } from "@storefront/process";
import type { CommandContext } from "../command.ts";
import { defaultRetryForMs } from "../import/import-sources.ts";
import { ingestServices, observationLine } from "../import/ingest-services.ts";
import { Outage } from "../import/outage.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { UserError, userErrorOf } from "../user-error.ts";
import { writeLines } from "./write-lines.ts";

export interface ExportOptions {
  /** Output file; `-` is standard output. */
  file: string;
  /** Longest time to wait for a service's first records, in milliseconds; default 5 minutes. */
  retryForMs?: number | undefined;
}

/** Result of an export. */
export interface ExportSummary {
  /** Lines of each kind. */
  kinds: Record<string, number>;
  file: string;
}

/**
 * Writes everything that a running stack stores into a file of the import format.
 *
 * @throws UserError when there is no stack, a connection breaks, or the file cannot be written.
 */
export async function runExport(
  { file, retryForMs = defaultRetryForMs }: ExportOptions,
  context: CommandContext,
): Promise<ExportSummary> {
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
    // In this order the changelog has the entries of every exported catalogue state.
    for (const service of serviceNames) {
      const transport = transports.get(service);
      if (transport === undefined) continue;
      // The entries of these states are in the export too. Prices may be of deleted regions, and older than their region.
      const isRestored =
        service === "pricing" || (service === "catalog" && transports.has("changelog"));
      const outage = new Outage(service, { retryForMs, note: context.terminal.note });
      const untilAvailable = async (error: unknown) =>
        await outage.wait(await connections.explain(service, error));
      try {
        for await (const { observations } of exportedBatches(service, transport, untilAvailable)) {
          outage.end();
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

/**
 * The batches of a service. It is retried only before the first batch, so that nothing is written twice.
 *
 * @param untilAvailable waits for the service after an error; rejects when it is not to be retried
 */
async function* exportedBatches(
  service: (typeof serviceNames)[number],
  transport: Transport,
  untilAvailable: (error: unknown) => Promise<void>,
) {
  for (let hasBegun = false; ;) {
    try {
      // An export takes as long as its reader.
      for await (const batch of ingestServices[service].export(transport, { timeoutMs: 0 })) {
        hasBegun = true;
        yield batch;
      }
      return;
    } catch (error) {
      if (hasBegun) throw error;
      await untilAvailable(error);
    }
  }
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
