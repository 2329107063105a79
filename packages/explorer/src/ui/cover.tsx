import { useState } from "react";
import type { KeyImage } from "../api/types.ts";
import { CoverArt } from "./cover-art.tsx";
import { pickImage } from "./pick-image.ts";

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
