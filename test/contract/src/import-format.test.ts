import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { CatalogObservationSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ChangelogObservationSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { PricingObservationSchema } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsObservationSchema } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { SearchObservationSchema } from "@storefront/contracts/search/v1/search_ingest_service";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sectionsOf } from "./sections-of.ts";

/** Fields that are no members of a line: other members go into them. */
const gathered = new Set([
  "storefront.catalog.v1.AgeRating.rating",
  "storefront.catalog.v1.OfferText.null_members",
]);
/** Messages whose members the document names elsewhere, or not at all. */
const referred = new Set(["storefront.search.v1.OfferQuery"]);

const observations = [
  CatalogObservationSchema,
  PricingObservationSchema,
  ReviewsObservationSchema,
  ChangelogObservationSchema,
  SearchObservationSchema,
];

/** Every kind of the import format: the records that observations can hold. */
const kinds = observations.flatMap(({ oneofs }) =>
  oneofs.flatMap(({ fields }) =>
    fields.flatMap(({ localName, message }) =>
      message === undefined ? [] : [{ kind: localName, schema: message }],
    ),
  ),
);

const document = readFileSync(new URL("../../../docs/import-format.md", import.meta.url), "utf8");
const sections = new Map(sectionsOf(document, 4).map((section) => [section.title, section]));

/** Fields that are members of a line. */
function fieldsOf(schema: DescMessage): DescField[] {
  return schema.fields.filter((field) => !gathered.has(`${schema.typeName}.${field.name}`));
}

/** Names of the members within members. */
function innerMembersOf(schema: DescMessage): string[] {
  return fieldsOf(schema).flatMap(({ message }) => {
    const isOurs = message?.typeName.startsWith("storefront.") === true;
    if (!isOurs || referred.has(message.typeName)) return [];
    return [...fieldsOf(message).map(({ localName }) => localName), ...innerMembersOf(message)];
  });
}

/** The members in the first column of a section's table. */
function rowsOf(text: string): string[] {
  const cells = text.split("\n").map((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""));
}

/** What a kind's section says, and those of other kinds that it refers to. */
function codeOf(kind: string): Set<string> {
  const section = sections.get(kind);
  const linked = [...sections.values()].filter(({ title }) =>
    section?.links.includes(title.toLowerCase()),
  );
  return new Set([section, ...linked].flatMap((each) => [...(each?.code ?? [])]));
}

describe("docs/import-format.md", () => {
  it("has a section for each kind, and for nothing else", () => {
    expect([...sections.keys()].toSorted()).toEqual(kinds.map(({ kind }) => kind).toSorted());
  });

  it.each(kinds)(
    "lists the members of $kind, in the order of their changes",
    ({ kind, schema }) => {
      const listed = rowsOf(sections.get(kind)?.text ?? "");
      expect(listed).toEqual(fieldsOf(schema).map(({ localName }) => localName));
    },
  );

  it.each(kinds)("names every member within the members of $kind", ({ kind, schema }) => {
    const named = codeOf(kind);
    expect(innerMembersOf(schema).filter((name) => !named.has(name))).toEqual([]);
  });
});
