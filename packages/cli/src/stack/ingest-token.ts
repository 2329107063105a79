import type { Environment } from "@storefront/config";
import { randomBytes, randomUUID } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import { UserError } from "../user-error.ts";
import { dataFile } from "./data-directory.ts";
import { readIfPresent } from "./read-if-present.ts";

// The services refuse shorter ones, which could be guessed.
const minLength = 16;

/**
 * The token that ingest RPCs ask for: `INGEST_TOKEN`, else the one kept in the data directory,
 * which is made on the first use and readable by its owner only.
 *
 * @throws UserError when it is too short.
 */
export async function makeIngestToken(directory: string, env: Environment): Promise<string> {
  const known = await findIngestToken(directory, env);
  if (known !== undefined) return known;
  const path = dataFile.ingestToken(directory);
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  // A link appears with its content and fails when another process was first: its token counts.
  await link(draft, path).catch(() => undefined);
  await rm(draft);
  const made = await findIngestToken(directory, env);
  if (made === undefined) throw new UserError(`The ingest token cannot be kept in ${path}.`);
  return made;
}

/** As {@link makeIngestToken}, but undefined where there is none yet. */
export async function findIngestToken(
  directory: string,
  env: Environment,
): Promise<string | undefined> {
  const given = env["INGEST_TOKEN"];
  if (given) return checked(given, "INGEST_TOKEN");
  const path = dataFile.ingestToken(directory);
  const kept = (await readIfPresent(path))?.trim();
  return kept === undefined ? undefined : checked(kept, path);
}

function checked(token: string, source: string): string {
  if (token.length >= minLength) return token;
  throw new UserError(`The ingest token of ${source} must have at least ${minLength} characters.`);
}
