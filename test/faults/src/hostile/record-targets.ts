import type { Message } from "@bufbuild/protobuf";
import type { StoredRecord } from "./hostile-owners.ts";

/** Request targets that return a record, each once; they respond with 200 when the record is stored. */
export function recordTargets(stored: readonly StoredRecord[]): string[] {
  const offerIds = new Set(
    stored.flatMap(({ kind, record }) => (kind === "offer" ? [text(record, "id")] : [])),
  );
  const targets = stored.flatMap(({ kind, record }) => {
    switch (kind) {
      case "offer":
        return ["", "/overview", "/reviews"].map((part) =>
          path("offers", text(record, "id"), part),
        );
      case "item":
        return ["", "/builds", "/changelog"].map((part) => path("items", text(record, "id"), part));
      case "sandbox":
        return ["", "/assets", "/offers", "/changelog"].map((part) =>
          path("sandboxes", text(record, "id"), part),
        );
      case "price":
        // The present price depends on where the offer is sold; its history requires only the offer.
        return offerIds.has(text(record, "offerId")) && text(record, "region") === "US"
          ? [path("offers", text(record, "offerId"), "/price-history")]
          : [];
      default:
        return [];
    }
  });
  return [...new Set(targets), "/changelist?limit=50", "/items?limit=100", "/search/changelog"];
}

function path(collection: string, id: string, part: string): string {
  return `/${collection}/${encodeURIComponent(id)}${part}`;
}

function text(record: Message, member: string): string {
  const value: unknown = Object.entries(record).find(([name]) => name === member)?.[1];
  return typeof value === "string" ? value : "";
}
