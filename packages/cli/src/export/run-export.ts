import { Code, ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@storefront/rpc";
import type { CommandContext } from "../command.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import { createServiceAddresses } from "../stack/service-addresses.ts";
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
  const token = await findIngestToken(dataDirectory, env);
  const addresses = createServiceAddresses(dataDirectory, env);
  const kinds: Record<string, number> = {};
  const progress = terminal.progress({ label: "Exporting" });
  let lines = 0;

  async function* texts(): AsyncGenerator<string> {
    for (const [service, exportOf] of Object.entries(exporters)) {
      const address = await addresses.grpcAddress(service);
      if (address === undefined) continue;
      const transport = createGrpcTransport({ address, ...(token === undefined ? {} : { token }) });
      try {
        for await (const batch of exportOf(transport)) {
          for (const [kind, count] of Object.entries(batch.kinds)) {
            kinds[kind] = (kinds[kind] ?? 0) + count;
            lines += count;
          }
          progress.update(lines, `${lines.toLocaleString("en")} records`);
          yield batch.text;
        }
      } catch (error) {
        throw exportError(service, error);
      } finally {
        await transport.close();
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
