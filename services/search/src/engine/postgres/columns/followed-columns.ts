import { outsideCalls } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { newestVersions, writtenSince } from "./index-writes.ts";
import type { FollowedTable } from "./index-writes.ts";

/** Columns of a table in memory. Rows that are read again change atomically. */
export interface Columns {
  /** Memory in bytes. */
  readonly sizeBytes: number;
  /** Reads the whole table into empty columns. */
  readAll(queryable: Queryable): Promise<void>;
  /** Reads these offers again; waits for searches that read the columns. */
  readAgain(queryable: Queryable, numbers: Int32Array): Promise<void>;
}

/** A part of a generation as columns. */
interface FollowedPart<Held extends Columns> extends FollowedTable {
  /** Creates empty columns. */
  readonly create: () => Held;
}

/** With more changes than this the whole table is read: sequentially, without lookups. */
const maxReadAgain = 100_000;

/** After more changes than this, concurrent ones are read too. */
const maxBehind = 1_000;

/** Columns that follow the writes of a generation; read at the first use. */
export class FollowedColumns<Held extends Columns> {
  readonly #queryable: Queryable;
  readonly #followed: FollowedPart<Held>;
  #held: { columns: Held; version: bigint } | undefined;
  #refreshing: Promise<Held> | undefined;

  constructor(queryable: Queryable, followed: FollowedPart<Held>) {
    this.#queryable = queryable;
    this.#followed = followed;
  }

  /** Memory in bytes. */
  get sizeBytes(): number {
    return this.#held?.columns.sizeBytes ?? 0;
  }

  /**
   * The columns as of now or a moment ago. Read them under their lock, or synchronously.
   *
   * @param atLeast minimum version; default any, since a refresh in progress may be older
   */
  async upToDate(atLeast = 0n): Promise<Held> {
    for (;;) {
      this.#refreshing ??= outsideCalls(() => this.#refresh()).finally(
        () => (this.#refreshing = undefined),
      );
      const columns = await this.#refreshing;
      if (this.#held === undefined || this.#held.version >= atLeast) return columns;
    }
  }

  /** Frees them until the next use. */
  free(): void {
    this.#held = undefined;
  }

  async #refresh(): Promise<Held> {
    for (;;) {
      const held = (this.#held ??= await this.#readAll());
      const { version: known } = held;
      const written = await writtenSince(this.#queryable, this.#followed, known, maxReadAgain);
      if (written === undefined) {
        // Frees the old columns before reading.
        this.#held = undefined;
        continue;
      }
      const { version, numbers } = written;
      if (numbers.length > 0) await held.columns.readAgain(this.#queryable, numbers);
      held.version = version;
      if (numbers.length < maxBehind) return held.columns;
    }
  }

  /** Concurrent writes are read again afterwards, so it does not matter which of them are visible. */
  async #readAll(): Promise<{ columns: Held; version: bigint }> {
    const { generation, create } = this.#followed;
    const [version = 0n] = await newestVersions(this.#queryable, [generation]);
    const columns = create();
    await columns.readAll(this.#queryable);
    return { columns, version };
  }
}
