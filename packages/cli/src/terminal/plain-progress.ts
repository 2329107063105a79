import { percentOf } from "./progress.ts";
import type { Progress, ProgressOptions } from "./progress.ts";

// Often enough to see that it goes on, seldom enough for a log file.
const lineIntervalMs = 5000;

/** Progress as plain lines, one every 5 s, for logs and pipes. */
export function createPlainProgress(
  note: (line: string) => void,
  options: ProgressOptions,
): Progress {
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
