import { startStack } from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { writeOddCatalogue } from "../odd-catalogue.ts";

/** Tokens of the shared stack: an old and a new one, one for the catalog alone, and one for ingest by HTTP. */
export const tokens = {
  old: "the-old-token-of-all-services",
  new: "the-new-token-of-all-services",
  catalog: "the-token-of-the-catalog-alone",
  http: "the-token-of-ingest-by-http",
};

/** A stack on PGlite with a generated catalogue and odd records. */
export interface SharedStack extends TestStack {
  /** The catalogue that was imported into it, NDJSON compressed with gzip. */
  readonly catalogueFile: string;
}

/**
 * Starts the stack that end-to-end tests share.
 *
 * @param files directory for the catalogue; the caller removes it.
 */
export async function startSharedStack(files: TemporaryDirectory): Promise<SharedStack> {
  const catalogueFile = files.file("catalogue.ndjson.gz");
  await writeOddCatalogue(catalogueFile, 150);
  const stack = await startStack({
    parameters: ["--empty", "--import", catalogueFile],
    env: {
      INGEST_TOKEN: `${tokens.old},${tokens.new}`,
      CATALOG_INGEST_TOKEN: tokens.catalog,
      INGEST_HTTP_PORT: "0",
      INGEST_HTTP_TOKEN: tokens.http,
    },
  });
  return { ...stack, catalogueFile };
}
