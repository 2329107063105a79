import { OfferTextSchema } from "@storefront/contracts/catalog/v1/offer_text";
import type { OfferText } from "@storefront/contracts/catalog/v1/offer_text";
import { membersThatAre } from "@storefront/import-format";
import type { RecordKind } from "@storefront/ingest";
import type { FieldViolation } from "@storefront/rpc";

const overlayMembers = membersThatAre(OfferTextSchema, "overlay");

/** Texts of offers in other locales. */
export const offerTextKind: RecordKind<typeof OfferTextSchema> = {
  name: "offerText",
  schema: OfferTextSchema,
  table: "catalog.offer_text",
  columns: [],
  namespace: (text) => text.namespace,
  validate: (text) => [...localeViolations(text), ...nullMemberViolations(text)],
};

// Only exactly the locale asked for is ever served, and what is asked for is canonical.
function localeViolations({ locale }: OfferText): FieldViolation[] {
  return isCanonicalLocale(locale)
    ? []
    : [{ field: "locale", description: "must be a BCP-47 language tag in canonical form" }];
}

function isCanonicalLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale)[0] === locale;
  } catch {
    return false;
  }
}

function nullMemberViolations({ nullMembers }: OfferText): FieldViolation[] {
  const ascending = nullMembers.every(
    (member, index) => index === 0 || (nullMembers[index - 1] ?? "") < member,
  );
  return ascending && nullMembers.every((member) => overlayMembers.includes(member))
    ? []
    : [
        {
          field: "nullMembers",
          description: "must name overlaying members, in ascending order, each once",
        },
      ];
}
