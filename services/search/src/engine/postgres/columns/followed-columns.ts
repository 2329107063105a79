import { outsideCalls } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { newestVersions, writtenSince } from "./index-writes.ts";
import type { FollowedTable } from "./index-writes.ts";

/** Columns of a table that are held in memory. What is read again is there at one stroke. */
export interface Columns {
  /** Bytes that they take. */
  readonly sizeBytes: number;
  /** Reads all of the table, into columns that are empty. */
  readAll(queryable: Queryable): Promise<void>;
  /** Reads those of the offers with these numbers again; they change while no search reads the columns. */
  readAnew(queryable: Queryable, numbers: Int32Array): Promise<void>;
}

/** A part of a generation as columns. */
export interface FollowedPart<Held extends Columns> extends FollowedTable {
  /** Makes them, empty. */
  readonly create: () => Held;
}

/** More that was written than this is read as all is: in order, without looking each up. */
const maxReadAnew = 100_000;

/** After reading more than this, what was written meanwhile is read too. */
const maxBehind = 1_000;

/** Columns that follow what is written to a generation: read when they are first asked for. */
export class FollowedColumns<Held extends Columns> {
  readonly #queryable: Queryable;
  readonly #followed: FollowedPart<Held>;
  #held: { columns: Held; version: bigint } | undefined;
  #refreshing: Promise<Held> | undefined;

  constructor(queryable: Queryable, followed: FollowedPart<Held>) {
    this.#queryable = queryable;
    this.#followed = followed;
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.#held?.columns.sizeBytes ?? 0;
  }

  /**
   * As they are in the database now, or were a moment ago. To be read under their lock, or without a pause.
   *
   * @param atLeast version that they have, or a later one; default any, for what is under way may have begun before it
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

  /** Forgets them, until they are asked for again. */
  letGo(): void {
    this.#held = undefined;
  }

  async #refresh(): Promise<Held> {
    for (;;) {
      const held = (this.#held ??= await this.#readAll());
      const { version: known } = held;
      const written = await writtenSince(this.#queryable, this.#followed, known, maxReadAnew);
      if (written === undefined) {
        // Not twice in memory.
        this.#held = undefined;
        continue;
      }
      const { version, numbers } = written;
      if (numbers.length > 0) await held.columns.readAnew(this.#queryable, numbers);
      held.version = version;
      if (numbers.length < maxBehind) return held.columns;
    }
  }

  /** What is written meanwhile is read again afterwards, so it does not matter which of it is seen. */
  async #readAll(): Promise<{ columns: Held; version: bigint }> {
    const { generation, create } = this.#followed;
    const [version = 0n] = await newestVersions(this.#queryable, [generation]);
    const columns = create();
    await columns.readAll(this.#queryable);
    return { columns, version };
  }
}
