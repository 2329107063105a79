import type { Environment } from "@storefront/config";
import { access, constants, stat } from "node:fs/promises";
import { dataFile } from "../stack/data-directory.ts";
import { firstBlockedPort, portsOfStack } from "../stack/check-ports.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import type { StackSettings } from "../stack/stack-environment.ts";
import { messageOf } from "../user-error.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** The first version that runs TypeScript as it is, without a flag or a warning, and is supported. */
const minMajor = 24;

export function checkNode(version: string): Check {
  return Number.parseInt(version, 10) >= minMajor
    ? fine("Node.js", version)
    : wrong(
        "Node.js",
        `Version ${version} is too old, ${minMajor} is needed.`,
        "Run by `npx -y pnpm@12 storefront`, which brings its own.",
      );
}

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

/** Whether a stack could listen; asked only where none runs. */
export async function checkFreePorts(settings: StackSettings): Promise<Check> {
  const name = "ports";
  const wanted = portsOfStack(settings);
  const blocked = await firstBlockedPort(wanted);
  if (blocked === undefined) {
    return fine(name, `${wanted.map(({ port }) => port).join(", ")} are free`);
  }
  const { port, use, problem, setting } = blocked;
  return wrong(name, `Port ${port}, for ${use}, ${problem}.`, `Choose another by ${setting}.`);
}
