import type { Queryable } from "@storefront/database";
import type { Locale } from "@storefront/domain/identifiers";
import { foldCase } from "../domain/fold-case.ts";
import { toPage, toPart } from "./rows.ts";
import type { IdRange, OfferRow, Page, PageRange, RecordRow } from "./rows.ts";

export interface SandboxOfferFilter {
  /** Exactly one of these; none means all. */
  offerTypes: readonly string[];
  /** A part of the canonical title, in any case; empty means all. */
  title: string;
}

type ListRow = {
  known: boolean;
  total: bigint;
  record: Uint8Array | null;
  text: Uint8Array | null;
};

const getSandbox = {
  name: "catalog.getSandbox",
  text: "select record from catalog.sandbox where id = $1",
};

const listSandboxes = {
  name: "catalog.listSandboxes",
  text: `
    select record
    from catalog.sandbox
    where id > $1 and ($3::timestamptz is null or changed_at >= $3)
    order by id
    limit $2`,
};

const listOffers = {
  name: "catalog.listSandboxOffers",
  text: listStatement("namespace = $1"),
};

const listFilteredOffers = {
  name: "catalog.listSandboxOffersFiltered",
  text: listStatement(`namespace = $1
    and (cardinality($5::text[]) = 0 or offer_type = any($5::text[]))
    and ($6::text = '' or strpos(title_folded, $6::text) > 0)`),
};

export class SandboxStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  async get(sandboxId: string): Promise<RecordRow | undefined> {
    return await this.#database.readOne(getSandbox, [sandboxId]);
  }

  /** By id. */
  async list({ afterId, pageSize, changedSince }: IdRange) {
    const parameters = [afterId, pageSize + 1, changedSince ?? null];
    return toPart(await this.#database.read<RecordRow>(listSandboxes, parameters), pageSize);
  }

  /** Newest `last_modified_date` first; an empty locale means no texts. Undefined when no sandbox has this id. */
  async listOffers(
    sandboxId: string,
    { offerTypes, title }: SandboxOfferFilter,
    locale: Locale,
    { offset, pageSize }: PageRange,
  ): Promise<Page<OfferRow> | undefined> {
    const parameters = [sandboxId, locale, pageSize, offset];
    const rows =
      offerTypes.length === 0 && title === ""
        ? await this.#database.read<ListRow>(listOffers, parameters)
        : await this.#database.read<ListRow>(listFilteredOffers, [
            ...parameters,
            offerTypes,
            foldCase(title),
          ]);
    return rows[0]?.known === true ? toPage(rows) : undefined;
  }
}

// One row per offer of the page, or one without an offer: whether the sandbox is known, and the
// total, come along in one round trip. The offers to skip are read from the index alone.
function listStatement(condition: string): string {
  return `
    select sandbox.known, counted.total, offer.record, text.record as text
    from (select exists (select from catalog.sandbox where id = $1) as known) as sandbox
    cross join (select count(*) as total from catalog.offer where ${condition}) as counted
    left join catalog.offer on offer.id = any(array(
      select id
      from catalog.offer
      where ${condition}
      order by last_modified_date desc nulls last, id
      limit $3 offset $4
    ))
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $2
    order by offer.last_modified_date desc nulls last, offer.id`;
}
