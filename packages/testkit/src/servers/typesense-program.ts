import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { sharedFile } from "../shared-data.ts";

const cache = resolve(import.meta.dirname, "../../../../node_modules/.cache/typesense-server");

/** Why no Typesense server can be started here, undefined when one can. */
export function missingTypesenseProgram(): string | undefined {
  return process.env["TYPESENSE_SERVER"] === undefined && archive() === undefined
    ? "no Typesense: name a program by TYPESENSE_SERVER"
    : undefined;
}

/** Path of the program: that of `TYPESENSE_SERVER`, else the one in the shared folder, unpacked at first use. */
export async function typesenseProgram(): Promise<string> {
  const named = process.env["TYPESENSE_SERVER"];
  if (named !== undefined) return named;
  const path = archive();
  if (path === undefined) throw new Error("There is no Typesense server.");
  const { size, mtimeMs } = statSync(path);
  const directory = join(cache, `${size}-${Math.trunc(mtimeMs)}`);
  const program = join(directory, "typesense-server/typesense-server");
  if (statSync(program, { throwIfNoEntry: false }) === undefined) await unpack(path, directory);
  return program;
}

function archive(): string | undefined {
  return sharedFile("typesense-server/typesense-server.tar.xz");
}

/** The directory appears complete: another process may unpack the same archive. */
async function unpack(path: string, directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true });
  const unpacked = await mkdtemp(`${directory}-`);
  await promisify(execFile)("tar", ["-xJf", path, "-C", unpacked]);
  try {
    await rename(unpacked, directory);
  } catch {
    await rm(unpacked, { recursive: true, force: true });
  }
}
