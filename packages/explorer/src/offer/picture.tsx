import { useState } from "react";
import type { KeyImage } from "../api/types.ts";
import { CoverArt } from "../ui/cover-art.tsx";

interface PictureProps {
  image: KeyImage;
  /** What the drawing is made from that stands in for a picture that cannot be loaded. */
  seed: string;
  alt: string;
}

/** One picture, which opens in full. */
export function Picture({ image, seed, alt }: PictureProps) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) {
    return (
      <div className="cover cover--wide" role="img" aria-label={`${alt}, which cannot be loaded`}>
        <CoverArt id={seed} />
      </div>
    );
  }
  return (
    <a className="cover cover--wide" href={image.url ?? undefined} target="_blank" rel="noreferrer">
      <img
        src={image.url ?? undefined}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
      />
    </a>
  );
}
