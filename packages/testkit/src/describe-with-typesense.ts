import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { describeUnlessMissing } from "./describe-unless-missing.ts";
import { askServerBroker } from "./servers/server-broker.ts";
import { testApiKey } from "./servers/start-typesense.ts";
import { missingTypesenseProgram } from "./servers/typesense-program.ts";

/** A Typesense server, and the prefix of a suite's collections and aliases. */
export interface TypesenseAddress {
  readonly url: string;
  /** `url` alone. */
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly prefix: string;
}

/** The server of the test's worker, which its files share. */
export interface TestTypesense {
  /** In hooks and tests, not while the suite is described. */
  address(): TypesenseAddress;
  /** Removes everything with the suite's prefix. */
  empty(): Promise<void>;
}

/**
 * Describes a suite that needs a Typesense server: one for each worker, or the one that `TYPESENSE_URL`
 * and `TYPESENSE_API_KEY` name. Collections with the suite's prefix are removed at its end.
 */
export function describeWithTypesense(
  name: string,
  suite: (typesense: TestTypesense) => void,
): void {
  describeUnlessMissing(`${name} (typesense)`, missingTypesense(), () => {
    let address: TypesenseAddress;
    const empty = () => removeAll(address);
    beforeAll(async () => {
      address = await typesenseAddress();
    });
    afterAll(empty);
    suite({ address: () => address, empty });
  });
}

/** Why there is no Typesense for tests, undefined when there is one. */
export function missingTypesense(): string | undefined {
  const missing = missingTypesenseProgram();
  return missing === undefined || process.env["TYPESENSE_URL"] !== undefined
    ? undefined
    : `${missing}, or a running server by TYPESENSE_URL and TYPESENSE_API_KEY`;
}

async function typesenseAddress(): Promise<TypesenseAddress> {
  const prefix = `test_${randomUUID().replaceAll("-", "")}`;
  const { TYPESENSE_URL: named, TYPESENSE_API_KEY: apiKey = "" } = process.env;
  if (named !== undefined && process.env["TYPESENSE_SERVER"] === undefined) {
    return { url: named, urls: [named], apiKey, prefix };
  }
  const worker = process.env["VITEST_POOL_ID"] ?? "0";
  const url = await askServerBroker(inject("testServers").brokerUrl, `typesense/${worker}`);
  return { url, urls: [url], apiKey: testApiKey, prefix };
}

/** Aliases first: their collections are found by their own names. */
async function removeAll({ url, apiKey, prefix }: TypesenseAddress): Promise<void> {
  const headers = { "x-typesense-api-key": apiKey };
  const list = async (path: string) => await (await fetch(url + path, { headers })).json();
  const { aliases } = (await list("/aliases")) as { aliases: { name: string }[] };
  const collections = (await list("/collections")) as { name: string }[];
  const paths = [
    ...aliases.map((alias) => ({ folder: "aliases", ...alias })),
    ...collections.map((collection) => ({ folder: "collections", ...collection })),
  ];
  for (const { folder, name } of paths) {
    if (!name.startsWith(prefix)) continue;
    await fetch(`${url}/${folder}/${name}`, { method: "DELETE", headers });
  }
}
