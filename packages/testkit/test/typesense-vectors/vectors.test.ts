import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharedData, startTypesenseDouble } from "../../src/index.ts";
import { runVector } from "./run-vector.ts";
import { readVectors } from "./vector.ts";

const folder = sharedData()?.path("typesense/vectors");
const vectors = folder !== undefined && existsSync(folder) ? readVectors(folder) : [];
if (vectors.length === 0) {
  process.stderr.write("skipped: answers of a real Typesense server: no typesense/vectors\n");
}

/** The release that the double stands for. */
const server = 30;
/** Extended vectors that are left out, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  "tokens/chinese-with-a-locale": "needs the table from traditional to simplified characters",
};

describe.skipIf(vectors.length === 0)("the double answers as the real server does", () => {
  const played = vectors.filter(
    ({ topic, name, minServer }) =>
      Number(minServer) <= server && leftOut[`${topic}/${name}`] === undefined,
  );

  it.each(played)("$level: $topic/$name", async (vector) => {
    const double = await startTypesenseDouble({ apiKey: "the-right-key" });
    try {
      expect(await runVector(vector, double)).toEqual([]);
    } finally {
      await double.close();
    }
  });
});
