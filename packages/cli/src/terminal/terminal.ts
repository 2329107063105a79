import { createPlainProgress } from "./plain-progress.ts";
import { createProgressBar } from "./progress-bar.ts";
import type { Progress, ProgressOptions } from "./progress.ts";
import type { TerminalStream } from "./terminal-stream.ts";

/** Where a command writes. Results go to standard output, everything else to standard error. */
export interface Terminal {
  /** A line of the command's result. */
  out: (line: string) => void;
  /** A line about what is going on. */
  note: (line: string) => void;
  /** Shows how far a long work is: a bar on a terminal, plain lines otherwise. */
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
