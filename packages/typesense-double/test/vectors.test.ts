import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startTypesenseDouble } from "../src/index.ts";
import { runVector } from "./run-vector.ts";
import { readVectors } from "./vector.ts";
import { vectorsFolder } from "./vectors-folder.ts";

/** The package's own, and those of the folder. */
const vectors = [join(import.meta.dirname, "vectors"), vectorsFolder() ?? []]
  .flat()
  .flatMap(readVectors);

/** The release that the double stands for. */
const server = 30;
/** Extended vectors that are left out, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  "tokens/chinese-with-a-locale": "needs the table from traditional to simplified characters",
};

describe("the double answers as the real server does", () => {
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
