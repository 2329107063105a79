import { EncodedWriter } from "@storefront/rpc";
import type { OfferRow } from "../store/record-row.ts";

/** Numbers of the fields that take offers and their texts. */
interface OfferFields {
  offer: number;
  text: number;
}

/** Writes stored offers and their texts, undecoded, into the response that the caller finishes. */
export function writeOffers(rows: readonly OfferRow[], fields: OfferFields): EncodedWriter {
  const writer = new EncodedWriter();
  for (const { record, text } of rows) {
    writer.message(fields.offer, record);
    if (text !== null) writer.message(fields.text, text);
  }
  return writer;
}
