import type { Environment } from "@storefront/process";
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { userErrorOf } from "../user-error.ts";

/** The database of a stack: `DATABASE_URL`, else PGlite in the data directory. */
export function databaseUrlOf(dataDirectory: string, env: Environment): string {
  return env["DATABASE_URL"] || `pglite:${dataDirectory}`;
}

/**
 * Creates the data directory if it is missing.
 *
 * @throws UserError when it cannot be created.
 */
export async function makeDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (error) {
    throw userErrorOf(`The data directory ${directory} cannot be made`, error);
  }
}

/** Files of the CLI in a data directory, besides those of the database. */
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
 * Writes a file that only its owner can read, atomically: a reader, or the next run after a kill, sees
 * the old text or the new one.
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
    throw userErrorOf(`The file ${path} cannot be written`, error);
  }
}

/** The value of a JSON text; undefined when it is damaged or has another form. */
export function parseJson<Value>(text: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const zServiceAddress = z.object({
  /** Base URL of the Connect port. */
  url: z.string(),
  /** `host:port` of the gRPC port. */
  grpcAddress: z.string(),
});

const zRunningStack = z.object({
  /** Process id of `storefront start`. */
  pid: z.number(),
  /** Base URL. */
  gatewayUrl: z.string(),
  /** By name. */
  services: z.record(z.string(), zServiceAddress),
});

/** Addresses of a service. */
export type ServiceAddress = z.infer<typeof zServiceAddress>;

/** A stack, as `start` describes it for the other commands. */
export type RunningStack = z.infer<typeof zRunningStack>;

export async function writeStackFile(directory: string, stack: RunningStack): Promise<void> {
  await writeFileWhole(dataFile.stack(directory), `${JSON.stringify(stack, undefined, 2)}\n`);
}

export async function removeStackFile(directory: string): Promise<void> {
  await rm(dataFile.stack(directory), { force: true });
}

/**
 * The stack that was started on a data directory; undefined when there is none. After a kill the file
 * remains.
 */
export async function readStackFile(directory: string): Promise<RunningStack | undefined> {
  const text = await readIfPresent(dataFile.stack(directory));
  return text === undefined ? undefined : parseJson(text, zRunningStack);
}
