import { z } from "zod";
import { offerFilterShape, sorts, zFilterList } from "./search-fields.ts";

/** What offers can be sorted by. */
export type SortField = (typeof sorts)[keyof typeof sorts];

export const sortFields: readonly SortField[] = Object.values(sorts);

const sortDirections = ["asc", "desc"] as const;

const oneOf = (values: readonly string[]) => `must be one of ${values.join(", ")}`;

/** The same, and in which order. */
export const offerQueryShape = {
  ...offerFilterShape,
  sortBy: z.enum(sortFields, oneOf(sortFields)).optional().meta({
    description:
      "Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming`, `giveawayDate` and `lowestFor` narrow what is found.",
  }),
  sortDir: z.enum(sortDirections, oneOf(sortDirections)).optional().meta({
    description:
      "Default `desc`; for `upcoming` that is nearest first, for `lowestFor` longest first.",
  }),
};

const zOfferQuery = z.object(offerQueryShape);

export type OfferQueryBody = z.output<typeof zOfferQuery>;

/** A saved query: the one spelling of all bodies that ask for the same. */
export const zSavedQuery = z
  .object({
    ...offerQueryShape,
    offerType: zFilterList("Any of these types.", ["BASE_GAME", "DLC"]).optional(),
  })
  .meta({
    id: "SavedQuery",
    description:
      "A search's body in its canonical form: lists are sorted and without duplicates, what is the default is absent.",
  });

export type SavedQuery = z.output<typeof zSavedQuery>;
