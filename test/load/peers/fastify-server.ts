// The peer: Fastify and node-postgres in one process, with the response schemas that Fastify's guide
// recommends for speed. Argument: the database's URL.
import Fastify from "fastify";
import type { AddressInfo } from "node:net";
import { Pool } from "pg";
import { collectionWithPrices, offerWithPrice } from "./offer-queries.ts";
import type { OfferRow } from "./offer-queries.ts";
import { pricedOfferSchema } from "./priced-offer-schema.ts";
import { shownRegion } from "./region.ts";

const pool = new Pool({ connectionString: process.argv[2] });
const fastify = Fastify();

const params = {
  type: "object",
  properties: { id: { type: "string", minLength: 1, maxLength: 256 } },
  required: ["id"],
} as const;

fastify.get<{ Params: { id: string } }>(
  "/offers/:id",
  { schema: { params, response: { 200: pricedOfferSchema } } },
  async (request, reply) => {
    const { rows } = await pool.query<OfferRow>({
      ...offerWithPrice,
      values: [request.params.id, shownRegion],
    });
    const [row] = rows;
    if (row === undefined) return await reply.code(404).send({ message: "Offer not found" });
    return { ...row.offer, price: row.price };
  },
);

fastify.get<{ Params: { id: string } }>(
  "/offers/:id/collection",
  { schema: { params, response: { 200: { type: "array", items: pricedOfferSchema } } } },
  async (request, reply) => {
    const { rows } = await pool.query<OfferRow>({
      ...collectionWithPrices,
      values: [request.params.id, shownRegion],
    });
    if (rows.length === 0) return await reply.code(404).send({ message: "Offer not found" });
    return rows.map(({ offer, price }) => ({ ...offer, price }));
  },
);

await fastify.listen({ port: 0, host: "127.0.0.1" });
process.send?.({ port: (fastify.server.address() as AddressInfo).port });
