import type { OfferText } from "./embedder.ts";

/** Of an offer's text, in UTF-8: within the 8,191 tokens that OpenAI's models take, none of which is less than a byte. */
const maxTextBytes = 8_000;

/** What a language model is given of an offer; never empty, which endpoints refuse. */
export function plainText(offer: OfferText): string {
  const { offerId, title, tags, description, developer, publisher } = offer;
  const makers = [...new Set([developer, publisher])].join(", ");
  const lines = [title, tags.join(", "), makers, description].filter((line) => line.trim() !== "");
  const bytes = Buffer.from(lines.join("\n") || offerId).subarray(0, maxTextBytes);
  // A letter that is cut in two is left out.
  return new TextDecoder().decode(bytes, { stream: true });
}
