import { Code, ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";
import { exporters } from "./export-lines.ts";
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
export async function runExport(
  { file, dataDirectory }: { file: string; dataDirectory: string },
  { terminal, env }: CommandContext,
): Promise<ExportSummary> {
  const connections = await createServiceConnections(dataDirectory, env);
  const kinds: Record<string, number> = {};
  const progress = terminal.progress({ label: "Exporting" });
  let lines = 0;

  async function* texts(): AsyncGenerator<string> {
    const transports = new Map<string, Transport | undefined>();
    for (const service of Object.keys(exporters)) {
      transports.set(service, await connections.open(service));
    }
    const hasChangelog = transports.get("changelog") !== undefined;
    for (const [service, exportOf] of Object.entries(exporters)) {
      const transport = transports.get(service);
      if (transport === undefined) continue;
      try {
        for await (const batch of exportOf(transport, { hasChangelog })) {
          for (const [kind, count] of Object.entries(batch.kinds)) {
            kinds[kind] = (kinds[kind] ?? 0) + count;
            lines += count;
          }
          progress.update(lines, `${lines.toLocaleString("en")} records`);
          yield batch.text;
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
  } finally {
    await connections.close();
  }
  progress.end(`${lines.toLocaleString("en")} records`);
  return { kinds, file };
}

function exportError(service: string, error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error;
  if (error.code === Code.Unauthenticated) {
    return new UserError(
      `The ${service} service refused the ingest token (INGEST_TOKEN, or ingest-token in DATA_DIR).`,
      { cause: error },
    );
  }
  return new UserError(`The export from the ${service} service broke off: ${messageOf(error)}.`, {
    cause: error,
  });
}
