import type { KeyImage } from "../api/types.ts";

const preferred: Readonly<Record<"tall" | "wide", readonly string[]>> = {
  tall: ["OfferImageTall", "DieselStoreFrontTall", "DieselGameBoxTall", "Thumbnail"],
  wide: ["OfferImageWide", "DieselStoreFrontWide", "DieselGameBox", "Screenshot", "Thumbnail"],
};

/** The address of the picture that suits a shape best; undefined when there is none to load. */
export function pickImage(images: readonly KeyImage[], shape: "tall" | "wide"): string | undefined {
  const loadable = images.filter(isLoadable);
  for (const type of preferred[shape]) {
    const image = loadable.find((candidate) => candidate.type === type);
    if (image !== undefined) return image.url ?? undefined;
  }
  return undefined;
}

/** Whether the page may load it: its security policy and mixed content allow nothing but https. */
export function isLoadable({ url }: KeyImage): boolean {
  return url !== null && url.startsWith("https://");
}
