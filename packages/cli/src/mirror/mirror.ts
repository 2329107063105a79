import { rm } from "node:fs/promises";
import type { CommandContext } from "../command.ts";
import type { Importer } from "../import/importer.ts";
import { openSource } from "../import/open-source.ts";
import { readLines } from "../import/read-lines.ts";
import type { SummaryRecorder } from "../import/summary.ts";
import type { Terminal } from "../terminal.ts";
import { UserError } from "../user-error.ts";
import { applyChanges } from "./apply-changes.ts";
import { openChanges } from "./change-events.ts";
import { downloadSnapshot } from "./download-snapshot.ts";
import type { ForgetMirrored } from "./forget-mirrored.ts";
import { Lags } from "./lags.ts";
import type { LagSummary } from "./lags.ts";
import { mirrorFile, writeMirrorState } from "./mirror-state.ts";
import type { MirrorState } from "./mirror-state.ts";
import { OriginOutage } from "./origin.ts";
import { readAhead } from "./read-ahead.ts";

/** Changes that are read while others are stored. */
const changesAhead = 2000;

/** What a mirror has done when it is ended. */
export interface MirrorSummary {
  origin: string;
  /** Everything up to here is stored. */
  cursor: string | undefined;
  /** Changes that were stored after a snapshot. */
  changes: number;
  /** Of the last of them, in milliseconds; absent when there were none. */
  lagMs?: LagSummary;
}

/** What a mirror works with. */
export interface MirrorOptions {
  context: CommandContext;
  importer: Importer;
  summary: SummaryRecorder;
  signal: AbortSignal;
  state: MirrorState;
  forget: ForgetMirrored;
  /** Why a line was refused; empty while none was. */
  refusal: () => string;
}

/** A mirror at work. */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #terminal: Terminal;
  readonly #outage: OriginOutage;
  readonly #lags = new Lags();
  #state: MirrorState;
  #unknownMembers = 0;

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
        this.#terminal.note("The origin keeps what came next no longer; a new snapshot is taken.");
        await this.#note({ origin: this.#state.origin });
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

  async #takeSnapshot(): Promise<void> {
    const { context, signal } = this.#options;
    const { origin } = this.#state;
    const path = mirrorFile.snapshot(context.dataDirectory);
    let { snapshot } = this.#state;
    if (snapshot?.isWhole !== true) {
      const progress = this.#terminal.progress({ label: `Downloading ${origin}/snapshot` });
      snapshot = await downloadSnapshot({
        origin,
        path,
        begun: snapshot,
        onBegin: (begun) => this.#note({ origin, snapshot: begun }),
        outage: this.#outage,
        progress,
        signal,
      });
      progress.end();
      await this.#note({ origin, snapshot });
    }
    await this.#importFile(path);
    await this.#note({ origin, cursor: snapshot.cursor });
    await rm(path, { force: true });
  }

  async #importFile(path: string): Promise<void> {
    const { importer, signal } = this.#options;
    const source = await openSource(path);
    const total = source.sizeBytes;
    const progress = this.#terminal.progress({
      label: "Importing the snapshot",
      ...(total !== undefined && { total }),
    });
    let records = 0;
    for await (const lines of readLines(source.chunks())) {
      signal.throwIfAborted();
      for (const line of lines) {
        if ("problem" in line)
          throw new UserError(`The snapshot is no import file: ${line.problem}.`);
        records++;
        await importer.addLine(line.text, { file: path, line: line.number }, line.sizeBytes);
      }
      this.#requireTaken();
      progress.update(source.readBytes(), `${records.toLocaleString("en")} records`);
    }
    await importer.flush();
    this.#requireTaken();
    progress.end(`${records.toLocaleString("en")} records`);
  }

  /** Follows until the connection breaks, or the origin keeps no more what comes next. */
  async #follow(from: string): Promise<"pruned" | undefined> {
    const { importer, forget } = this.#options;
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
        this.#requireTaken();
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
      await this.#outage.wait(error, this.#options.signal);
      return undefined;
    } finally {
      leaving.abort();
    }
  }

  /** A copy that leaves something out is none. */
  #requireTaken(): void {
    const { summary, refusal } = this.#options;
    if (summary.rejectedCount > 0) {
      throw new UserError(
        `A record was refused (${refusal()}). The mirror stops before it, so that nothing is left out; its stack may be of an older release than the origin.`,
      );
    }
    const { unknownMembers } = summary.result();
    if (unknownMembers > 0 && this.#unknownMembers === 0) {
      this.#terminal.note(
        "The origin gives members that this release does not know, which are left out: update it.",
      );
    }
    this.#unknownMembers = unknownMembers;
  }
}
