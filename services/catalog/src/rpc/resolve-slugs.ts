import { isLongerThan, RequestCheck } from "@storefront/rpc";
import { maxSlugLength } from "../domain/slug-keys.ts";
import type { SlugStore } from "../store/slug-store.ts";
import { checkText, maxBatch } from "./checks.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function resolveSlugs(deps: { slugs: SlugStore }): CatalogHandlers["resolveSlugs"] {
  return async ({ slugs }) => {
    const check = new RequestCheck();
    const countIsRight = slugs.length >= 1 && slugs.length <= maxBatch;
    check.that("slugs", countIsRight, `must have 1 to ${maxBatch} elements`);
    for (const [index, slug] of slugs.slice(0, maxBatch).entries()) {
      const field = `slugs[${index}]`;
      const isTooLong = isLongerThan(slug, maxSlugLength);
      check.that(field, !isTooLong, `must be at most ${maxSlugLength} characters`);
      checkText(check, field, slug);
    }
    check.done();

    const found = await deps.slugs.resolve(slugs);
    return {
      mappings: slugs.map((slug) => {
        const offer = found.get(slug);
        return { slug, offerId: offer?.id, namespace: offer?.namespace ?? undefined };
      }),
    };
  };
}
