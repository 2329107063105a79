import { create } from "@bufbuild/protobuf";
import { OfferHighlightsSchema } from "@storefront/contracts/search/v1/search_service";
import { expect, test } from "vitest";
import { highlightsOf } from "./found-offer.ts";

const title = "&lt;b&gt; &amp;amp; <mark>Moon</mark> &quot;it&#39;s&quot;";
const description = "a <mark>moon</mark> &amp;";
const found = create(OfferHighlightsSchema, { title, description });

test.each([
  [
    "of the texts that are shown",
    `<b> &amp; Moon "it's"`,
    "There was a moon & more",
    { title, description },
  ],
  ["of a title alone", `<b> &amp; Moon "it's"`, null, { title }],
  ["of a description alone", "Mond", "a moon &", { description }],
  ["of other texts", "<b> & Moon", "a Moon &", {}],
  ["of no texts", null, null, {}],
])("highlights %s", (_, shownTitle, shownDescription, expected) => {
  expect(highlightsOf(found, { title: shownTitle, description: shownDescription })).toEqual(
    expected,
  );
});

test("nothing is highlighted where nothing matched", () => {
  expect(highlightsOf(create(OfferHighlightsSchema), { title: "", description: "" })).toEqual({});
});
