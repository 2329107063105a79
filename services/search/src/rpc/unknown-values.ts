import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { UnknownValueSchema } from "@storefront/contracts/search/v1/search_service";
import { partsOfLabel } from "../domain/label.ts";
import { nearestValues } from "../domain/nearest-values.ts";
import type { CountName } from "../domain/offer-fields.ts";
import { everything } from "../domain/offer-filter.ts";
import { countedFields } from "../domain/offer-terms.ts";
import type { NamedField } from "../domain/offer-terms.ts";
import type { OfferAggregations, OfferFilter } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { countValues } from "./vocabulary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Maximum looked-up values of a query. */
const lookupsMax = 20;

type FilterMember = keyof OfferFilter & keyof OfferQuery;

/** Finds filter values that no offer has, with suggestions. */
export class UnknownValues {
  readonly #engine: SearchEngine;
  readonly #vocabulary: Vocabulary;

  constructor(engine: SearchEngine, vocabulary: Vocabulary) {
    this.#engine = engine;
    this.#vocabulary = vocabulary;
  }

  /** Unknown values of a query, in the order of its filters. */
  async of(query: OfferQuery): Promise<MessageInitShape<typeof UnknownValueSchema>[]> {
    const requested = [...countedFields].flatMap(([name, field]) => {
      const member = filterMemberOf(field);
      const filter = field.count?.input;
      if (member === undefined || filter === undefined) return [];
      const values = [query[member] ?? []].flat().map(String);
      return values.map((value) => ({ name, filter, member, value }));
    });
    if (requested.length === 0) return [];
    // A value that is missing here may be newer, and is looked up.
    const known = await this.#vocabulary.values();
    const missing = requested.filter(({ name, value }) => !isAmong(known, name, value));
    const checked = await Promise.all(
      missing.slice(0, lookupsMax).map(async ({ name, filter, member, value }) => {
        if (await this.#isFound(member, value)) return [];
        const labels = (known[name] ?? []).map(({ key }) => key);
        const nearest = nearestValues(value, labels).map(partsOfLabel);
        return [{ filter, value, nearest }];
      }),
    );
    return checked.flat();
  }

  async #isFound(member: FilterMember, value: string): Promise<boolean> {
    const isList = Array.isArray(everything[member]);
    const filter = { ...everything, [member]: isList ? [value] : value };
    const { total } = await countValues(this.#engine, { filter, aggregations: [] });
    return total > 0;
  }
}

/** The filter on the values of a count. */
function filterMemberOf({ filter, count }: NamedField): FilterMember | undefined {
  if (count?.chosenBy !== undefined) return count.chosenBy;
  return count?.as === "tags" ? "tagIds" : filter?.input;
}

function isAmong(known: Partial<OfferAggregations>, name: CountName, value: string): boolean {
  return (known[name] ?? []).some(({ key }) => {
    const { name: own, id } = partsOfLabel(key);
    return name === "tags" || name === "sellers" ? id === value : own === value;
  });
}
