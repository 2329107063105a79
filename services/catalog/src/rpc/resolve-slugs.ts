import type { SlugStore } from "../store/slug-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function resolveSlugs(deps: { slugs: SlugStore }): CatalogHandlers["resolveSlugs"] {
  return async ({ slugs }) => {
    const found = await deps.slugs.resolve(slugs);
    return {
      mappings: slugs.map((slug) => {
        const offer = found.get(slug);
        return { slug, offerId: offer?.id, namespace: offer?.namespace ?? undefined };
      }),
    };
  };
}
