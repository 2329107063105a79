import { rounded } from "../row.ts";
import type { Row } from "../row.ts";
import {
  connections,
  measureWritesBeside,
  writesPerSecond,
} from "../writes/measure-writes-beside.ts";
import type { WritesBeside } from "../writes/measure-writes-beside.ts";

/** Row 13: cached responses during unrelated writes. */
export function writesBeside(): Row[] {
  let measured: Promise<WritesBeside> | undefined;
  return [
    {
      number: 13,
      case: `cached GETs of offers and overviews for a second of the gateway's processor time, ${connections} connections, of a stack with ${writesPerSecond} unrelated writes/s and an import; peer: of a stack without, both going to the other`,
      goal: 0.9,
      async measure(report, settings) {
        measured ??= measureWritesBeside(report, settings);
        return (await measured).responses;
      },
    },
    {
      number: 13,
      case: "calls to services a second meanwhile; peer: the limit, one a second for each answer",
      goal: 1,
      goalIs: "at most",
      async measure(report, settings) {
        measured ??= measureWritesBeside(report, settings);
        const { upstreamCallsPerSecond, keys } = await measured;
        const ratio = rounded(upstreamCallsPerSecond / keys);
        return { ours: upstreamCallsPerSecond, peer: keys, ratio };
      },
    },
  ];
}
