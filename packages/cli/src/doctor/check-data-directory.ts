import type { Environment } from "@storefront/config";
import { access, constants, stat } from "node:fs/promises";
import { dataFile } from "../stack/data-directory.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import { messageOf } from "../user-error.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

export async function checkDataDirectory(directory: string, isInUse: boolean): Promise<Check> {
  const name = "data directory";
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined) return fine(name, `${directory} (made by the first start)`);
  if (!found.isDirectory()) {
    return wrong(name, `${directory} is not a directory.`, "Choose another by DATA_DIR.");
  }
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return wrong(
      name,
      `${directory} cannot be written.`,
      "Change its rights or choose another by DATA_DIR.",
    );
  }
  return fine(name, isInUse ? `${directory} (a stack runs on it)` : directory);
}

export async function checkToken(directory: string, env: Environment): Promise<Check> {
  const name = "ingest token";
  try {
    const token = await findIngestToken(directory, env);
    if (token === undefined) return fine(name, "none yet (made by the first start)");
    if (env["INGEST_TOKEN"]) return fine(name, "set by INGEST_TOKEN");
    const path = dataFile.ingestToken(directory);
    const isPrivate = ((await stat(path)).mode & 0o077) === 0;
    return isPrivate || process.platform === "win32"
      ? fine(name, `kept in ${path}`)
      : wrong(name, `Others can read ${path}.`, `Run chmod 600 ${path}.`);
  } catch (error) {
    return wrong(name, messageOf(error), "Set a longer one, or remove the file to have one made.");
  }
}
