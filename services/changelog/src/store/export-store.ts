import { create } from "@bufbuild/protobuf";
import { EntrySubjectSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { EntrySubject } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { Queryable } from "@storefront/database";
import { EntryLog } from "./entry-log.ts";

/** An entry with the identity of its subject. */
export interface ExportedEntry {
  /** Serialized. */
  readonly entry: Uint8Array;
  /** Empty when the subject's identity is the entry's context id alone. */
  readonly key: readonly string[];
}

interface SubjectRow {
  type: string;
  key: string;
  full_key: string | null;
  namespace: string | null;
  app: string | null;
  item_id: string | null;
  is_observed: boolean;
  release_apps: string[];
}

/** Rows of subjects read at a time; an item may name many applications, most name one. */
const pageRows = 1_000;

// Every identity has at least one character, so "" is before all of them.
const subjectsPage = {
  name: "changelog.exportSubjects",
  text: `
    select subject.*, array(
      select app from changelog.item_app where item = subject.id order by app
    ) as release_apps
    from changelog.subject
    where (type, key) > ($1, $2) order by type, key limit ${pageRows}`,
};

const keysOfStretch = {
  name: "changelog.exportKeys",
  text: `
    select entry.position, coalesce(subject.full_key, subject.key) as key
    from changelog.entry join changelog.subject on subject.id = entry.subject
    where entry.position > $1 and entry.position <= $2 and subject.key <> entry.context_id`,
};

const readCursor = {
  name: "changelog.readCatalogCursor",
  text: "select sequence from changelog.feed_cursor where feed = 'catalog'",
};

/** Reads the whole changelog, a little at a time. */
export class ExportStore {
  readonly #database: Queryable;
  readonly #log: EntryLog;

  constructor(database: Queryable) {
    this.#database = database;
    this.#log = new EntryLog(database);
  }

  /** Up to where the catalog's log is applied. */
  async appliedSequence(): Promise<bigint> {
    return (await this.#database.readOne<{ sequence: bigint }>(readCursor))?.sequence ?? 0n;
  }

  /** What entries are about, by type and identity. */
  async *subjects(): AsyncGenerator<EntrySubject> {
    let after = ["", ""];
    for (;;) {
      const rows = await this.#database.read<SubjectRow>(subjectsPage, after);
      for (const row of rows) yield subjectOf(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = [last.type, last.key];
    }
  }

  /** All entries in the order of the log. */
  async *entries(): AsyncGenerator<ExportedEntry> {
    let after = 0n;
    for (;;) {
      const { entries } = await this.#log.read(after);
      const last = entries.at(-1);
      if (last === undefined) return;
      const rows = await this.#database.read<{ position: bigint; key: string }>(keysOfStretch, [
        after,
        last.position,
      ]);
      const keyOf = new Map(rows.map(({ position, key }) => [position, key]));
      for (const { entry, position } of entries) {
        // What was taken back since has two places in the log, and is told of nowhere else.
        if (entry === null) continue;
        yield { entry, key: keyOf.get(position)?.split("\n") ?? [] };
      }
      after = last.position;
    }
  }
}

function subjectOf(row: SubjectRow): EntrySubject {
  return create(EntrySubjectSchema, {
    type: row.type,
    key: (row.full_key ?? row.key).split("\n"),
    releaseApps: row.release_apps,
    isObserved: row.is_observed,
    ...(row.namespace !== null && { namespace: row.namespace }),
    ...(row.app !== null && { app: row.app }),
    ...(row.item_id !== null && { itemId: row.item_id }),
  });
}
