import { serviceVariables, zTokens } from "@storefront/process";
import type { Environment } from "@storefront/process";
import { randomBytes, randomUUID } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import { UserError } from "../user-error.ts";
import { dataFile, readIfPresent } from "./data-directory.ts";

/**
 * The token of the ingest RPCs of services without their own: `INGEST_TOKEN`, which may be several, else
 * the one in the data directory, which is created on the first use and readable by its owner only.
 *
 * @throws UserError when one is too short.
 */
export async function makeIngestToken(directory: string, env: Environment): Promise<string> {
  const given = env["INGEST_TOKEN"];
  if (given) return tokensOf(given, "INGEST_TOKEN").join(",");
  const known = await findIngestToken(directory, {});
  if (known !== undefined) return known;
  const path = dataFile.ingestToken(directory);
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  // A link appears with its content and fails when another process was first: its token counts.
  await link(draft, path).catch(() => undefined);
  await rm(draft);
  const made = await findIngestToken(directory, {});
  if (made === undefined) throw new UserError(`The ingest token cannot be stored in ${path}.`);
  return made;
}

/**
 * The token to send to a service: the first of `<SERVICE>_INGEST_TOKEN`, else of `INGEST_TOKEN`, else
 * the one in the data directory; undefined before it is created.
 *
 * @param service default: one without a token of its own.
 * @throws UserError when one is too short.
 */
export async function findIngestToken(
  directory: string,
  env: Environment,
  service?: string,
): Promise<string | undefined> {
  const own = service === undefined ? [] : [serviceVariables(service).ingestToken];
  for (const variable of [...own, "INGEST_TOKEN"]) {
    const given = env[variable];
    if (given) return tokensOf(given, variable)[0];
  }
  const path = dataFile.ingestToken(directory);
  const stored = (await readIfPresent(path))?.trim();
  return stored === undefined ? undefined : tokensOf(stored, path)[0];
}

/** The tokens of a text; services accept any of them. */
function tokensOf(text: string, source: string): [string, ...string[]] {
  const { data, error } = zTokens.safeParse(text);
  if (data !== undefined) return data;
  throw new UserError(`The ingest token of ${source} ${error?.issues[0]?.message}.`);
}
