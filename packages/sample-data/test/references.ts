import type { Kind, Records } from "../src/generate-catalogue.ts";

const identities: { readonly [K in Kind]: (record: Records[K]) => string } = {
  tag: ({ id }) => id,
  sandbox: ({ id }) => id,
  item: ({ id }) => id,
  asset: ({ artifactId, platform, namespace }) => `${artifactId} ${platform} ${namespace}`,
  build: ({ id }) => id,
  offer: ({ id }) => id,
  offerText: ({ offerId, locale }) => `${offerId} ${locale}`,
  offerDetails: ({ offerId }) => offerId,
  ageRating: ({ namespace, ratingSystem }) => `${namespace} ${ratingSystem}`,
  ranking: ({ collection, offerId }) => `${collection} ${offerId}`,
  price: ({ offerId, region }) => `${offerId} ${region}`,
  giveaway: ({ id }) => id,
  review: ({ id }) => id,
};

const references: { readonly [K in Kind]: (record: Records[K]) => string[] } = {
  tag: () => [],
  sandbox: () => [],
  item: ({ namespace }) => [`sandbox ${namespace}`],
  asset: ({ namespace, itemId }) => [
    `sandbox ${namespace}`,
    ...(itemId === null ? [] : [`item ${itemId}`]),
  ],
  build: () => [],
  offer: ({ namespace, tags, items, collectionOfferIds }) => [
    `sandbox ${namespace}`,
    ...tags.map(({ id }) => `tag ${id}`),
    ...items.flatMap((item) => [`item ${item.id}`, `sandbox ${item.namespace}`]),
    ...collectionOfferIds.map((id) => `offer ${id}`),
  ],
  offerText: ({ offerId, tags }) => [
    `offer ${offerId}`,
    ...(tags ?? []).map(({ id }) => `tag ${id}`),
  ],
  offerDetails: ({ offerId }) => [`offer ${offerId}`],
  ageRating: ({ namespace }) => [`sandbox ${namespace}`],
  ranking: ({ offerId }) => [`offer ${offerId}`],
  price: ({ offerId }) => [`offer ${offerId}`],
  giveaway: ({ offerId, namespace }) => [
    `offer ${offerId}`,
    ...(namespace === null ? [] : [`sandbox ${namespace}`]),
  ],
  review: ({ offerId }) => [`offer ${offerId}`],
};

/** Identity of a record within its kind. */
export function identityOf<K extends Kind>({ kind, record }: { kind: K; record: Records[K] }) {
  return identities[kind](record);
}

/** Records that a record refers to, each as its kind and identity. */
export function referencesOf<K extends Kind>({ kind, record }: { kind: K; record: Records[K] }) {
  return references[kind](record);
}
