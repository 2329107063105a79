import { useState } from "react";
import type { KeyImage } from "../api/types.ts";
import { artOf, isLoadable } from "../ui/cover.tsx";

interface GalleryProps {
  id: string;
  images: readonly KeyImage[];
  title: string;
}

/** The offer's wide pictures in a row that scrolls. */
export function Gallery({ id, images, title }: GalleryProps) {
  const wide = images.filter(
    (image) =>
      isLoadable(image) && (image.width ?? 2) > (image.height ?? 1) && image.type !== "Logo",
  );
  if (wide.length === 0) return null;
  return (
    <section className="gallery" aria-label="Pictures">
      {/* Can be scrolled with the keyboard. */}
      <ul className="gallery__row" tabIndex={0}>
        {wide.map((image, index) => (
          <li key={image.url}>
            <Picture
              image={image}
              seed={`${id}-${index}`}
              alt={`Picture ${index + 1} of ${wide.length} of ${title}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PictureProps {
  image: KeyImage;
  /** Seed of the drawing that replaces a picture that cannot be loaded. */
  seed: string;
  alt: string;
}

/** One picture, which opens in full. */
function Picture({ image, seed, alt }: PictureProps) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) {
    return (
      <div className="cover cover--wide" role="img" aria-label={`${alt}, which cannot be loaded`}>
        <img src={artOf(seed)} alt="" />
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
