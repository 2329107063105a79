import type { KeyImage } from "../api/types.ts";
import { isLoadable } from "../ui/pick-image.ts";
import { Picture } from "./picture.tsx";

interface GalleryProps {
  id: string;
  images: readonly KeyImage[];
  title: string;
}

/** The offer's wide pictures in a row that scrolls by itself. */
export function Gallery({ id, images, title }: GalleryProps) {
  const wide = images.filter(
    (image) =>
      isLoadable(image) && (image.width ?? 2) > (image.height ?? 1) && image.type !== "Logo",
  );
  if (wide.length === 0) return null;
  return (
    <section className="gallery" aria-label="Pictures">
      {/* Can be scrolled by keys. */}
      <ul className="gallery__row" tabIndex={0}>
        {wide.map((image, place) => (
          <li key={image.url}>
            <Picture
              image={image}
              seed={`${id} ${place}`}
              alt={`Picture ${place + 1} of ${wide.length} of ${title}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
