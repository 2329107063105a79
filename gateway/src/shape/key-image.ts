import type { KeyImage as KeyImageRecord } from "@storefront/contracts/type/v1/image";
import type { KeyImage } from "../schemas/key-image.ts";

/** A picture as REST shows it. */
export function keyImageOf(image: KeyImageRecord): KeyImage {
  return {
    type: image.type ?? null,
    url: image.url ?? null,
    width: image.width ?? null,
    height: image.height ?? null,
    md5: image.md5 ?? null,
  };
}
