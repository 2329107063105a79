import type { Environment } from "@storefront/config";
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, UserError } from "../user-error.ts";

/** The database of a stack: `DATABASE_URL`, else PGlite in the data directory. */
export function databaseUrlOf(dataDirectory: string, env: Environment): string {
  return env["DATABASE_URL"] || `pglite:${dataDirectory}`;
}

/**
 * Makes the data directory if it is missing.
 *
 * @throws UserError when it cannot be made.
 */
export async function makeDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (error) {
    throw new UserError(`The data directory ${directory} cannot be made: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Files of the CLI in a data directory, beside those of the database. */
export const dataFile = {
  ingestToken: (directory: string) => join(directory, "ingest-token"),
  stack: (directory: string) => join(directory, "stack.json"),
  sampleData: (directory: string) => join(directory, "sample-data.json"),
};

/** The text of a file, or undefined when there is none. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Writes a file that only its owner can read, and puts it in place whole: a reader, or the next run
 * after a kill, sees the old text or the new one.
 *
 * @throws UserError when it cannot be written.
 */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new UserError(`The file ${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Where a service is reached. */
export interface ServiceAddress {
  /** Base URL of the Connect port. */
  url: string;
  /** `host:port` of the gRPC port. */
  grpcAddress: string;
}

/** A stack as its data directory tells of it, for the other commands. */
export interface RunningStack {
  /** Process id of `storefront start`. */
  pid: number;
  /** Base URL of the gateway. */
  gatewayUrl: string;
  /** Services by name. */
  services: Readonly<Record<string, ServiceAddress>>;
}

/** Leaves the addresses of a running stack in its data directory. */
export async function writeStackFile(directory: string, stack: RunningStack): Promise<void> {
  await writeFileWhole(dataFile.stack(directory), `${JSON.stringify(stack, undefined, 2)}\n`);
}

/** Takes the addresses away again. */
export async function removeStackFile(directory: string): Promise<void> {
  await rm(dataFile.stack(directory), { force: true });
}

/**
 * The stack that was started on a data directory; undefined when there is none. After a kill it may
 * be gone although the file is there.
 */
export async function readStackFile(directory: string): Promise<RunningStack | undefined> {
  const text = await readIfPresent(dataFile.stack(directory));
  if (text === undefined) return undefined;
  try {
    const stack: unknown = JSON.parse(text);
    return isRunningStack(stack) ? stack : undefined;
  } catch {
    return undefined;
  }
}

function isRunningStack(value: unknown): value is RunningStack {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    typeof value.pid === "number" &&
    "gatewayUrl" in value &&
    typeof value.gatewayUrl === "string" &&
    "services" in value &&
    typeof value.services === "object" &&
    value.services !== null
  );
}
