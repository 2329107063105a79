import { readObservations } from "./read-observations.ts";
import type { Observation } from "./read-observations.ts";
import type { RecordOf } from "./records.ts";

type Table<Kind extends keyof RecordOf> = Map<string, RecordOf[Kind]>;

/** The last state of every record of some import files, by kind and identity. */
export type Catalogue = { [Kind in keyof RecordOf]: Table<Kind> };

const identities: { [Kind in keyof RecordOf]: (record: RecordOf[Kind]) => string } = {
  offer: ({ id }) => id,
  offerText: ({ offerId, locale }) => `${offerId} ${locale}`,
  item: ({ id }) => id,
  sandbox: ({ id }) => id,
  asset: ({ artifactId, platform, namespace }) => `${artifactId} ${platform} ${namespace}`,
  build: ({ id }) => id,
  tag: ({ id }) => id,
  offerDetails: ({ offerId }) => offerId,
  ageRating: ({ namespace, ratingSystem }) => `${namespace} ${ratingSystem}`,
  ranking: ({ collection, offerId }) => `${collection} ${offerId}`,
  price: ({ offerId, region }) => `${offerId} ${region}`,
  giveaway: ({ id }) => id,
  review: ({ id }) => id,
};

/** Reads import files, plain or gzip, into the state that they lead to. */
export async function readCatalogue(files: readonly string[]): Promise<Catalogue> {
  return catalogueOf(await Promise.all(files.map(readObservations)));
}

/** The state that the observations of files lead to. */
export function catalogueOf(files: readonly (readonly Observation[])[]): Catalogue {
  const tables = new Map<string, Map<string, { observedAt: string; record: unknown }>>();
  for (const observation of files.flat()) apply(tables, observation);
  const tableOf = <Kind extends keyof RecordOf>(kind: Kind): Table<Kind> =>
    new Map(
      [...(tables.get(kind) ?? [])].map(([id, { record }]) => [id, record as RecordOf[Kind]]),
    );
  return {
    offer: tableOf("offer"),
    offerText: tableOf("offerText"),
    item: tableOf("item"),
    sandbox: tableOf("sandbox"),
    asset: tableOf("asset"),
    build: tableOf("build"),
    tag: tableOf("tag"),
    offerDetails: tableOf("offerDetails"),
    ageRating: tableOf("ageRating"),
    ranking: tableOf("ranking"),
    price: tableOf("price"),
    giveaway: tableOf("giveaway"),
    review: tableOf("review"),
  };
}

function apply(
  tables: Map<string, Map<string, { observedAt: string; record: unknown }>>,
  { kind, observedAt, record }: Observation,
): void {
  if (!isModelled(kind)) return;
  const table = tables.get(kind) ?? new Map<string, { observedAt: string; record: unknown }>();
  tables.set(kind, table);
  const identify = identities[kind] as (record: unknown) => string;
  const id = identify(record);
  const known = table.get(id);
  if (known !== undefined && Date.parse(known.observedAt) >= Date.parse(observedAt)) return;
  table.set(id, { observedAt, record });
}

function isModelled(kind: string): kind is keyof RecordOf {
  return Object.hasOwn(identities, kind);
}
