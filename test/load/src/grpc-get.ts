import { deepEqual } from "node:assert/strict";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Client, credentials } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ServiceDefinition } from "@grpc/proto-loader";
import {
  CatalogService,
  GetOfferRequestSchema,
  GetOfferResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { loaderOptions, offersProtoFile } from "../peers/nest/grpc-options.ts";

/** How to request an offer from one server over gRPC. */
export interface GrpcGet {
  /** Path of the method. */
  path: string;
  encode(offerId: string): Buffer;
  /** The members that both contracts have, dates as ISO 8601. */
  decode(response: Buffer): Record<string, unknown>;
}

/** Our catalog's contract. */
export const ourGet: GrpcGet = {
  path: `/${CatalogService.typeName}/${CatalogService.method.getOffer.name}`,
  encode: (offerId) =>
    Buffer.from(toBinary(GetOfferRequestSchema, create(GetOfferRequestSchema, { offerId }))),
  decode(response) {
    const { offer } = fromBinary(GetOfferResponseSchema, response);
    return shown({ ...offer });
  },
};

/** The contract of the Nest peer; without a region it responds without a price. */
export function nestGet(): GrpcGet {
  const { GetOffer } = loadSync(offersProtoFile, loaderOptions)[
    "offers.OffersService"
  ] as ServiceDefinition;
  if (GetOffer === undefined) throw new Error("offers.proto has no GetOffer");
  return {
    path: GetOffer.path,
    encode: (id) => GetOffer.requestSerialize({ id }),
    decode(response) {
      const { offer, price } = GetOffer.responseDeserialize(response) as {
        offer: Record<string, unknown>;
        price?: object;
      };
      if (price !== undefined) throw new Error("unexpected price in the response");
      return shown(offer);
    },
  };
}

// Members of the REST response that the gateway adds.
const added = new Set(["locale", "localeStatus"]);

function shown(offer: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(offer).filter(
    ([name, value]) => !name.startsWith("$") && !added.has(name) && value !== undefined,
  );
  return JSON.parse(
    JSON.stringify(Object.fromEntries(members.map(([name, value]) => [name, plain(value)]))),
  ) as Record<string, unknown>;
}

/** Without the type information of generated messages. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if ("$typeName" in value && value.$typeName === "google.protobuf.Timestamp") {
    return timestampDate(value as Timestamp).toISOString();
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !name.startsWith("$") && member !== undefined)
      .map(([name, member]) => [name, plain(member)]),
  );
}

/**
 * Compares two servers' responses for the same offers.
 *
 * @throws AssertionError when their responses differ
 */
export async function checkSameOffers(
  ours: { address: string; get: GrpcGet },
  peer: { address: string; get: GrpcGet },
  offerIds: readonly string[],
): Promise<void> {
  for (const id of offerIds) {
    const [expected, actual] = await Promise.all([ask(ours, id), ask(peer, id)]);
    deepEqual(actual, expected, `the peer's offer ${id} differs`);
  }
}

async function ask(
  { address, get }: { address: string; get: GrpcGet },
  offerId: string,
): Promise<Record<string, unknown>> {
  const client = new Client(address, credentials.createInsecure());
  const untouched = (bytes: Buffer): Buffer => bytes;
  try {
    return await new Promise((resolve, reject) => {
      const request = get.encode(offerId);
      client.makeUnaryRequest(get.path, untouched, untouched, request, (error, response) => {
        if (error === null && response !== undefined) resolve(get.decode(response));
        else reject(error ?? new Error("there is no response"));
      });
    });
  } finally {
    client.close();
  }
}
