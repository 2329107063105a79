import { useState } from "react";
import type { KeyImage } from "../api/types.ts";
import { CoverArt } from "./cover-art.tsx";

interface CoverProps {
  /** What the drawing is made from; the same id has the same one everywhere. */
  id: string;
  images: readonly KeyImage[];
  shape: "tall" | "wide";
  /** Whether it is seen at once, and so must not wait. */
  isEager?: boolean;
}

/**
 * The picture of an offer. A drawing made from its id stands in until it has been loaded, and for
 * good where there is none. It is decoration: the title always stands beside it.
 */
export function Cover({ id, images, shape, isEager = false }: CoverProps) {
  const image = pickImage(images, shape);
  const [isLoaded, setLoaded] = useState(false);
  const [isBroken, setBroken] = useState(false);
  return (
    <div className={`cover cover--${shape}`}>
      <CoverArt id={id} />
      {image === undefined || isBroken ? null : (
        <img
          src={image}
          alt=""
          loading={isEager ? "eager" : "lazy"}
          decoding="async"
          data-loaded={isLoaded}
          onLoad={() => setLoaded(true)}
          onError={() => setBroken(true)}
        />
      )}
    </div>
  );
}

const preferred: Readonly<Record<"tall" | "wide", readonly string[]>> = {
  tall: ["OfferImageTall", "DieselStoreFrontTall", "DieselGameBoxTall", "Thumbnail"],
  wide: ["OfferImageWide", "DieselStoreFrontWide", "DieselGameBox", "Screenshot", "Thumbnail"],
};

/** The address of the picture that suits a shape best; undefined when there is none to load. */
function pickImage(images: readonly KeyImage[], shape: "tall" | "wide"): string | undefined {
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
