import { toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Region } from "@storefront/domain/identifiers";
import { ServiceError } from "@storefront/rpc";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { PagePosition } from "../engine/offer-search.ts";

/** The search of a position, which is invalid for other searches, regions and engines. */
interface CursorSearch {
  /** Name of the engine. */
  readonly engine: string;
  /** Canonical. */
  readonly query: OfferQuery;
  readonly region: Region;
}

const zCursor = z.tuple([
  z.string(),
  z.number().nullable(),
  // Negative values occur with the database engine.
  z.string().regex(/^-?\d{1,20}$/),
  z.int().min(0),
  z.array(z.string()).min(1),
]);

/** A position as a cursor: base64url of JSON. */
export function cursorOf(position: PagePosition, search: CursorSearch): string {
  const { key, relevance, offset, offerIds } = position;
  const members: z.input<typeof zCursor> = [
    digestOf(search),
    key,
    relevance,
    offset,
    [...offerIds],
  ];
  return Buffer.from(JSON.stringify(members)).toString("base64url");
}

/**
 * The position of a cursor.
 *
 * @throws ServiceError INVALID_ARGUMENT, CURSOR_OF_OTHER_SEARCH
 */
export function positionOf(cursor: string, search: CursorSearch): PagePosition {
  const read = zCursor.safeParse(parsed(Buffer.from(cursor, "base64url").toString()));
  if (!read.success || read.data[0] !== digestOf(search)) {
    throw new ServiceError({
      code: Code.InvalidArgument,
      reason: ErrorReason.CURSOR_OF_OTHER_SEARCH,
      message: "cursor: must be of the same query in the same region",
    });
  }
  const [, key, relevance, offset, offerIds] = read.data;
  return { key, relevance, offset, offerIds };
}

function digestOf({ engine, query, region }: CursorSearch): string {
  const hash = createHash("sha256").update(`${engine} ${region} `);
  return hash.update(toBinary(OfferQuerySchema, query)).digest("base64url").slice(0, 12);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses undefined.
    return undefined;
  }
}
