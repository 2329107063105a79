import { toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import {
  BatchGetOffersResponseSchema,
  CatalogService,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { createTransport } from "@storefront/rpc";
import { Client } from "pg";
import { Pool } from "undici";
import { appRouter } from "../../../../gateway/src/operations/router.ts";
import { operationsByPath } from "../../../../gateway/src/operations/operations-of.ts";
import { localiseOffer } from "../../../../gateway/src/compose/localise-offer.ts";
import { bodyDigestOf } from "../../../../gateway/src/http/conditions.ts";
import { operationEndpoints } from "../../../../gateway/src/rest/operation-endpoints.ts";
import { createRouteTable } from "../../../../gateway/src/http/route-table.ts";
import { defaultLocale } from "../../../../gateway/src/schemas/locale.ts";
import { parseTarget } from "../../../../gateway/src/http/target.ts";
import { decodeMessage } from "../../../../packages/rpc/src/decode/decode-message.ts";
import type { Contestants } from "../catalogue/start-contestants.ts";
import { startChild } from "../child-process.ts";
import { timeEach } from "./time-each.ts";

/** What one step of `GET /offers/{id}` costs. */
export interface HopCost {
  hop: string;
  microseconds: number;
}

/**
 * Takes an uncached read of an offer apart, one request at a time. What goes through a socket is
 * timed as a round trip and holds the time of both ends; the rest is timed by itself.
 */
export async function measureHops(contestants: Contestants): Promise<HopCost[]> {
  const { records, databaseUrl, uncachedUrl, catalogUrl } = contestants;
  const [offerId = ""] = records.pricedOfferIds;
  const path = `/offers/${offerId}`;
  const { child, first } = await startChild("../peers/fixed-bytes-server.ts", [uncachedUrl, path]);
  const fixed = new Pool(`http://127.0.0.1:${(first as { port: number }).port}`);
  const gateway = new Pool(uncachedUrl);
  const transport = createTransport({ baseUrl: catalogUrl });
  const catalog = createClient(CatalogService, transport);
  const database = new Client({ connectionString: databaseUrl });
  const lookup = {
    name: "hop-lookup",
    text: "select record from catalog.offer where id = $1",
    values: [offerId],
  };
  try {
    await database.connect();
    const http = await timeEach(() => get(fixed, path));
    const rpc = await timeEach(() => catalog.batchGetOffers({ offerIds: [] }));
    const query = await timeEach(() => database.query(lookup));
    const whole = await timeEach(() => get(gateway, path));

    const answer = await catalog.batchGetOffers({ offerIds: [offerId] });
    const bytes = toBinary(BatchGetOffersResponseSchema, answer);
    const [offer] = answer.offers;
    if (offer === undefined) throw new Error(`${offerId} is unknown`);
    const input = operationsByPath(appRouter).get("catalog.getOffer")?.input;
    const matchRoute = createRouteTable(operationEndpoints(appRouter));
    const encode = (): string => {
      const body = Buffer.from(
        JSON.stringify(localiseOffer({ offer, text: undefined }, defaultLocale)),
      );
      return bodyDigestOf(body);
    };
    const decode = await timeEach(() => decodeMessage(BatchGetOffersResponseSchema, bytes));
    return [
      { hop: "HTTP: parse a request, write an answer (round trip)", microseconds: http },
      {
        hop: "router: match the path",
        microseconds: await timeEach(() => matchRoute(parseTarget(path).segments)),
      },
      {
        hop: "validation of the input",
        microseconds: await timeEach(() => input?.parse({ id: offerId })),
      },
      { hop: "RPC: call without a record (round trip)", microseconds: rpc },
      { hop: "database: one record by its key (round trip)", microseconds: query },
      { hop: "decode the record", microseconds: decode },
      { hop: "encode: shape, JSON, entity tag", microseconds: await timeEach(encode) },
      { hop: "the whole read, price included (round trip)", microseconds: whole },
    ];
  } finally {
    await Promise.all([fixed.close(), gateway.close(), transport.close(), database.end()]);
    await child.stop();
  }
}

async function get(pool: Pool, path: string): Promise<void> {
  const { statusCode, body } = await pool.request({ path, method: "GET" });
  if (statusCode !== 200) throw new Error(`${path}: status ${statusCode}`);
  await body.dump();
}
