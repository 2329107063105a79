import type { RowGroup } from "../row.ts";
import { measureImports } from "./measure-imports.ts";
import type { PriceImports } from "./measure-imports.ts";

const mebibyte = 1024 * 1024;

/** Rows 19 and 20: what it takes to import prices that are stored already. */
export function pricesAgain(): RowGroup {
  let imports: Promise<PriceImports> | undefined;
  const measured = () => (imports ??= measureImports());
  return {
    rows: [
      {
        number: 19,
        goal: 5,
        case: "import of an unchanged file of prices, lines/s; peer: its first import",
        async measure(report) {
          const { lines, isReal, firstSeconds, againSeconds, laterSeconds } = await measured();
          const times = [firstSeconds, againSeconds, laterSeconds].map((time) => time.toFixed(1));
          const [first, again, later] = times;
          report(`${lines} ${isReal ? "real" : "generated"} lines`);
          report(`first ${first} s, again ${again} s, seen a day later ${later} s`);
          const ratio = rounded(firstSeconds / againSeconds);
          return { ours: lines / againSeconds, peer: lines / firstSeconds, ratio };
        },
      },
      {
        number: 20,
        goal: 10,
        case: "prices seen a day later, for each MiB of the server's log; peer: moving the time in their rows",
        async measure(report) {
          const { lines, againBytes, laterBytes, rowsBytes } = await measured();
          const each = [againBytes, laterBytes, rowsBytes].map((all) => (all / lines).toFixed(1));
          report(`bytes each: unchanged ${each[0]}, a day later ${each[1]}, in rows ${each[2]}`);
          const ratio = rounded(rowsBytes / laterBytes);
          const of = (bytes: number) => (lines * mebibyte) / bytes;
          return { ours: of(laterBytes), peer: of(rowsBytes), ratio };
        },
      },
    ],
    stop: async () => undefined,
  };
}

function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}
