import { rm } from "node:fs/promises";
import type { CommandContext } from "../command.ts";
import type { Importer } from "../import/importer.ts";
import type { Terminal } from "../terminal.ts";
import { agreeWithSnapshot } from "./agree/agree-with-snapshot.ts";
import { applyChanges, openChanges, readAhead } from "./changes.ts";
import { failureOfCopy } from "./copy.ts";
import type { CallService, ForgetMirrored, ImportCheck } from "./copy.ts";
import { downloadSnapshot, isUndamaged } from "./download-snapshot.ts";
import { importSnapshot } from "./snapshot-file.ts";
import { mirrorFile, writeMirrorState } from "./mirror-state.ts";
import type { MirrorState, SnapshotState } from "./mirror-state.ts";
import { OriginOutage } from "./origin.ts";

/** Most changes that are read ahead while others are stored. */
const changesAhead = 2000;

/** Summary of a mirror's run. */
export interface MirrorSummary {
  origin: string;
  /** Everything up to here is stored. */
  cursor: string | undefined;
  /** Changes that were stored after a snapshot. */
  changes: number;
  /** Of the last changes, in milliseconds; absent without changes. */
  lagMs?: LagSummary;
}

interface MirrorOptions {
  context: CommandContext;
  importer: Importer;
  check: ImportCheck;
  signal: AbortSignal;
  state: MirrorState;
  call: CallService;
  forget: ForgetMirrored;
}

/** Mirrors an origin into a stack. */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #terminal: Terminal;
  readonly #outage: OriginOutage;
  readonly #lags = new Lags();
  #state: MirrorState;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#terminal = options.context.terminal;
    this.#outage = new OriginOutage((line) => this.#terminal.note(line));
    this.#state = options.state;
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const { cursor } = this.#state;
      if (cursor === undefined) await this.#takeSnapshot();
      else if ((await this.#follow(cursor)) === "pruned") {
        this.#terminal.note(
          "The origin no longer has the next changes; a new snapshot is downloaded.",
        );
        await this.#note({ origin: this.#state.origin, former: cursor });
      }
    }
  }

  summary(): MirrorSummary {
    const { origin, cursor } = this.#state;
    const lagMs = this.#lags.summary();
    return { origin, cursor, changes: this.#lags.count, ...(lagMs && { lagMs }) };
  }

  async #note(state: MirrorState): Promise<void> {
    await writeMirrorState(this.#options.context.dataDirectory, state);
    this.#state = state;
  }

  /** Downloads a snapshot, imports it, and forgets the records that it lacks; repeated after an interruption. */
  async #takeSnapshot(): Promise<void> {
    const { context, importer, check, signal } = this.#options;
    const { origin, former } = this.#state;
    const terminal = this.#terminal;
    const path = mirrorFile.snapshot(context.dataDirectory);
    const snapshot = await this.#download(path);
    const kindOrder = await importSnapshot({ path, importer, check, terminal, signal });
    if (former !== undefined) {
      terminal.note("Looking for records that the origin has forgotten since.");
      const { call, forget } = this.#options;
      const options = { origin, path, kindOrder, call, forget, importer, signal };
      const forgotten = await agreeWithSnapshot(options);
      check.throwIfRefused();
      terminal.note(`Forgot ${forgotten.toLocaleString("en")} records.`);
    }
    await this.#note({ origin, cursor: snapshot.cursor });
    await rm(path, { force: true });
  }

  async #download(path: string): Promise<SnapshotState> {
    const { snapshot: whole } = this.#state;
    if (whole?.isWhole === true) {
      if (await isUndamaged(path, whole)) return whole;
      this.#terminal.note(`The file ${path} is damaged or missing; a new snapshot is downloaded.`);
      // Some of it may have been imported.
      await this.#note({ origin: this.#state.origin, former: whole.cursor });
    }
    const { origin, former, snapshot: begun } = this.#state;
    const progress = this.#terminal.progress({ label: `Downloading ${origin}/snapshot` });
    const snapshot = await downloadSnapshot({
      origin,
      path,
      begun,
      onBegin: (each) => this.#note({ origin, former, snapshot: each }),
      outage: this.#outage,
      progress,
      signal: this.#options.signal,
    });
    progress.end();
    await this.#note({ origin, former, snapshot });
    return snapshot;
  }

  /** Follows until the connection breaks, or the origin no longer has the next changes. */
  async #follow(from: string): Promise<"pruned" | undefined> {
    const { importer, forget, check } = this.#options;
    const { origin } = this.#state;
    const leaving = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, leaving.signal]);
    const progress = this.#terminal.progress({ label: `Following ${origin}` });
    try {
      const changes = await openChanges(origin, from, signal);
      if (changes === "pruned") return changes;
      this.#outage.end();
      for await (const events of readAhead(changes, changesAhead)) {
        const committedAtMs = await applyChanges(events, { importer, forget, origin });
        check.throwIfRefused();
        const cursor = events.at(-1)?.cursor ?? from;
        await this.#note({ origin, cursor });
        const nowMs = Date.now();
        for (const atMs of committedAtMs) this.#lags.note(nowMs - atMs);
        const lagSeconds = ((nowMs - (committedAtMs.at(-1) ?? nowMs)) / 1000).toFixed(1);
        const count = this.#lags.count.toLocaleString("en");
        progress.update(this.#lags.count, `${count} changes, ${lagSeconds} s behind`);
      }
      throw new Error("the connection ended");
    } catch (error) {
      progress.clear();
      await this.#outage.wait(failureOfCopy(error), this.#options.signal);
      return undefined;
    } finally {
      leaving.abort();
    }
  }
}

/** Most writes whose lag is stored. */
const lagsMax = 100_000;

/** Lags of writes, in milliseconds. */
interface LagSummary {
  p50: number;
  p99: number;
  max: number;
}

/** The lags of the last writes: from the commit at the origin to the copy, each by its own clock. */
class Lags {
  readonly #ms: number[] = [];
  #count = 0;

  /** Number of recorded writes. */
  get count(): number {
    return this.#count;
  }

  note(lagMs: number): void {
    this.#ms[this.#count % lagsMax] = lagMs;
    this.#count++;
  }

  /** Undefined without writes. */
  summary(): LagSummary | undefined {
    const sorted = this.#ms.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return sorted.length === 0 ? undefined : { p50: at(0.5), p99: at(0.99), max: at(1) };
  }
}
