import type { Writable } from "node:stream";

/** A stream that may be a terminal. */
type TerminalStream = Pick<Writable, "write"> & { isTTY?: boolean; columns?: number };

interface ProgressOptions {
  /** The work, such as `Importing catalog.ndjson.gz`. */
  label: string;
  /** Amount of work, in any unit; absent when unknown. */
  total?: number | undefined;
}

/** A display of progress. */
export interface Progress {
  /**
   * @param done amount of work done, in the unit of the total.
   * @param detail text to show next to it, such as `12,000 records`.
   */
  update(done: number, detail?: string): void;
  /** Removes the display until the next update, so that a line can be written. */
  clear(): void;
  /** Ends the display with a last line. */
  end(detail?: string): void;
}

/** The outputs of a command. Results go to standard output, everything else to standard error. */
export interface Terminal {
  /** A line of the command's result. */
  out: (line: string) => void;
  /** A line about the work. */
  note: (line: string) => void;
  /** Shows the progress of long work: a bar on a terminal, plain lines otherwise. */
  progress: (options: ProgressOptions) => Progress;
}

/** The terminal over a process's two outputs. */
export function createTerminal(stdout: TerminalStream, stderr: TerminalStream): Terminal {
  let bar: Progress | undefined;
  const writeNote = (line: string) => {
    bar?.clear();
    stderr.write(`${line}\n`);
  };
  return {
    out(line) {
      bar?.clear();
      stdout.write(`${line}\n`);
    },
    note: writeNote,
    progress(options) {
      if (stderr.isTTY !== true) return createPlainProgress(writeNote, options);
      bar = createProgressBar(stderr, options);
      return bar;
    },
  };
}

const barColumns = 24;
// More frequent redrawing costs time and flickers.
const redrawIntervalMs = 100;
const eraseLine = "\r\u001B[K";

/** A bar on one line of a terminal. */
function createProgressBar(stream: TerminalStream, options: ProgressOptions): Progress {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let isVisible = false;
  let isOver = false;
  const clear = () => {
    if (isVisible) stream.write(eraseLine);
    isVisible = false;
  };
  return {
    update(done, detail = "") {
      const nowMs = performance.now();
      if (isOver || nowMs - drawnAtMs < redrawIntervalMs) return;
      drawnAtMs = nowMs;
      isVisible = true;
      const line = `${options.label} ${barOf(percentOf(done, options.total))} ${detail}`;
      // A line that wraps could not be erased.
      stream.write(eraseLine + line.slice(0, (stream.columns ?? 80) - 1));
    },
    clear,
    end(detail = "done") {
      if (isOver) return;
      isOver = true;
      clear();
      stream.write(`${options.label}: ${detail}\n`);
    },
  };
}

function barOf(percent: number | undefined): string {
  if (percent === undefined) return "…";
  const filled = Math.round((percent / 100) * barColumns);
  return `[${"#".repeat(filled)}${" ".repeat(barColumns - filled)}] ${percent} %`;
}

// Often enough to follow the progress, seldom enough for a log file.
const lineIntervalMs = 5000;

/** Progress as plain lines, one every 5 s, for logs and pipes. */
function createPlainProgress(note: (line: string) => void, options: ProgressOptions): Progress {
  let writtenAtMs = performance.now();
  let isOver = false;
  return {
    update(done, detail = "") {
      const nowMs = performance.now();
      if (isOver || nowMs - writtenAtMs < lineIntervalMs) return;
      writtenAtMs = nowMs;
      const percent = percentOf(done, options.total);
      note([`${options.label}:`, percent === undefined ? "" : `${percent} %`, detail].join(" "));
    },
    clear() {
      // Lines stay.
    },
    end(detail = "done") {
      if (isOver) return;
      isOver = true;
      note(`${options.label}: ${detail}`);
    },
  };
}

/** Whole percent done, 0 to 100; undefined while the total is unknown. */
function percentOf(done: number, total: number | undefined): number | undefined {
  if (total === undefined || total <= 0) return undefined;
  return Math.min(100, Math.floor((done / total) * 100));
}
