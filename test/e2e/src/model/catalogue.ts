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
  ranking: ({ collection, offerId }) => `${collection} ${offerId}`,
  price: ({ offerId, region }) => `${offerId} ${region}`,
  giveaway: ({ id }) => id,
  review: ({ id }) => id,
};

/** Reads import files, plain or gzip, into the state that they lead to. */
export async function readCatalogue(files: readonly string[]): Promise<Catalogue> {
  const tables = new Map<string, Map<string, { observedAt: string; record: unknown }>>();
  for (const file of files) {
    for (const observation of await readObservations(file)) apply(tables, observation);
  }
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
