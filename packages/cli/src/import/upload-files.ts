import { ConnectError } from "@connectrpc/connect";
import { parseEnvironment } from "@storefront/process";
import { requireEncryption } from "@storefront/rpc";
import type { CommandContext } from "../command.ts";
import { zIngest } from "../ingest/ingest-settings.ts";
import { retryAfterMsOf } from "../mirror/origin.ts";
import { openClientTls } from "../stack/service-connections.ts";
import { messageOf, userErrorOf } from "../user-error.ts";
import { defaultRetryForMs } from "./import-sources.ts";
import { findFile } from "./open-source.ts";
import type { SourceFile } from "./open-source.ts";
import { Outage } from "./outage.ts";
import type { ImportOptions } from "./run-import.ts";
import { openUpload } from "./send-file.ts";
import type { IngestOrigin, OpenUpload } from "./send-file.ts";
import { createSummaryRecorder } from "./summary.ts";
import type { SummaryRecorder } from "./summary.ts";

interface UploadFilesOptions extends Omit<ImportOptions, "signal"> {
  /** Base URL of ingest by HTTP, without a slash at the end. */
  url: string;
}

/**
 * Imports files by HTTP, one upload each. The summary is as that of `runImport`.
 *
 * @throws ConfigError, TlsError when variables are wrong.
 * @throws UserError when a file is missing, or the process is unavailable or rejects the upload.
 */
export async function uploadFiles(
  { files: names, keepErrors, retryForMs = defaultRetryForMs, url }: UploadFilesOptions,
  context: CommandContext,
): Promise<SummaryRecorder> {
  const { env, terminal } = context;
  const [{ tokens }] = parseEnvironment([zIngest.pick({ tokens: true })], env);
  const [token] = tokens;
  const files = await Promise.all(names.map((name) => findFile(name)));
  const tls = await openClientTls(env);
  requireEncryption(url, { token, tls });
  const summary = createSummaryRecorder(
    ({ file, line, reason }) => terminal.note(`${file}:${line}: ${reason}`),
    keepErrors ? Infinity : 0,
  );
  try {
    const origin = { url, token, tls };
    for (const file of files) {
      const upload = await openWhenAvailable(origin, retryForMs, terminal.note);
      if (!(await uploadFile(upload, file, { url, summary, terminal }))) break;
    }
  } finally {
    tls?.close();
  }
  return summary;
}

/** @throws UserError when it stays unavailable. */
async function openWhenAvailable(
  origin: IngestOrigin,
  retryForMs: number,
  note: (line: string) => void,
): Promise<OpenUpload> {
  const outage = new Outage("ingest", { retryForMs, note });
  for (;;) {
    try {
      const upload = await openUpload(origin);
      outage.end();
      return upload;
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      const leastMs = retryAfterMsOf(error.metadata.get("retry-after"));
      await outage.wait(error, leastMs).catch((cause: unknown) => {
        throw userErrorOf("The files cannot be sent", cause);
      });
    }
  }
}

/** @returns whether the next file can be imported. */
async function uploadFile(
  upload: OpenUpload,
  file: SourceFile,
  {
    url,
    summary,
    terminal,
  }: { url: string; summary: SummaryRecorder } & Pick<CommandContext, "terminal">,
): Promise<boolean> {
  const { name, sizeBytes } = file;
  const display = terminal.progress({ label: `Importing ${name}`, total: sizeBytes });
  let sentBytes = 0;
  const onBytes = (count: number) => {
    sentBytes += count;
    display.update(sentBytes);
  };
  try {
    for await (const line of upload.send(file, onBytes)) {
      if ("message" in line) {
        summary.rejected({ file: name, line: line.line }, line.message);
      } else if ("summary" in line) {
        summary.counted(line.summary);
        const read = Object.values(line.summary.kinds).reduce((sum, kind) => sum + kind.read, 0);
        display.end(`${read.toLocaleString("en")} records read`);
        return true;
      } else {
        const { error } = line;
        summary.counted(error.summary);
        summary.rejected({ file: name, line: error.line }, error.message);
        display.end("broken off");
        // Only this file is invalid.
        return error.code === "INVALID_ARGUMENT";
      }
    }
    throw new Error("the response has no end");
  } catch (error) {
    display.end("broken off");
    const reason = `the connection to ${url} broke (${messageOf(error)}); import again`;
    summary.rejected({ file: name, line: 1 }, reason);
    return false;
  }
}
