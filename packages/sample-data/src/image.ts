import { identifier } from "./identifier.ts";
import type { Seed } from "./seed.ts";

/** Shapes of pictures; an offer has the first few. */
const shapes = [
  { type: "Thumbnail", width: 340, height: 440 },
  { type: "OfferImageWide", width: 2560, height: 1440 },
  { type: "OfferImageTall", width: 1200, height: 1600 },
  { type: "Logo", width: 800, height: 400 },
  { type: "Screenshot", width: 1920, height: 1080 },
];

/** The first `count` pictures, at most five, of the offer or item with that number. */
export function createImages(seed: Seed, number: number, count: number) {
  return shapes.slice(0, count).map((shape, n) => {
    const md5 = identifier(seed, "image", number * shapes.length + n);
    // Under `.invalid`, which never resolves (RFC 2606): the sample has no picture files.
    return { ...shape, url: `https://images.example.invalid/${md5}.jpg`, md5 };
  });
}
