import { percentOf } from "./progress.ts";
import type { Progress, ProgressOptions } from "./progress.ts";
import type { TerminalStream } from "./terminal-stream.ts";

const barColumns = 24;
// Redrawing more often costs time and flickers.
const redrawIntervalMs = 100;
const eraseLine = "\r\u001B[K";

/** A bar on one line of a terminal, redrawn in place. */
export function createProgressBar(stream: TerminalStream, options: ProgressOptions): Progress {
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
