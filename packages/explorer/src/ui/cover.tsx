import { useState } from "react";
import type { KeyImage } from "../api/types.ts";

interface CoverProps {
  /** Seed of the drawing if there is no picture; the same id has the same drawing everywhere. */
  id: string;
  images: readonly KeyImage[];
  shape: "tall" | "wide";
  /** Whether it is visible at once, and so loads without delay. */
  isEager?: boolean;
}

/**
 * The picture of an offer, or one that is drawn from its id when there is none or it cannot be loaded. It is
 * decoration: the title is always next to it.
 */
export function Cover({ id, images, shape, isEager = false }: CoverProps) {
  const [isBroken, setBroken] = useState(false);
  const image = isBroken ? undefined : pickImage(images, shape);
  return (
    <div className={`cover cover--${shape}`}>
      <img
        src={image ?? artOf(id)}
        alt=""
        loading={isEager ? "eager" : "lazy"}
        decoding="async"
        onError={() => setBroken(true)}
      />
    </div>
  );
}

/** The URL of a picture that the gateway draws from a name. */
export function artOf(name: string): string {
  return `/art/${name.replaceAll(/\W/g, "-").slice(0, 64)}.svg`;
}

const preferred: Readonly<Record<"tall" | "wide", readonly string[]>> = {
  tall: ["OfferImageTall", "DieselStoreFrontTall", "DieselGameBoxTall", "Thumbnail"],
  wide: ["OfferImageWide", "DieselStoreFrontWide", "DieselGameBox", "Screenshot", "Thumbnail"],
};

/** The URL of the picture that fits a shape best; undefined when there is none to load. */
function pickImage(images: readonly KeyImage[], shape: "tall" | "wide"): string | undefined {
  const loadable = images.filter(isLoadable);
  for (const type of preferred[shape]) {
    const image = loadable.find((candidate) => candidate.type === type);
    if (image !== undefined) return image.url ?? undefined;
  }
  return undefined;
}

/** Whether the page may load it: its security policy and mixed content allow https and this origin. */
export function isLoadable({ url }: KeyImage): boolean {
  return url !== null && (url.startsWith("https://") || url.startsWith("/art/"));
}
