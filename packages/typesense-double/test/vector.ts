import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A request of a vector and what it has to answer. */
export interface VectorRequest {
  method: string;
  path: string;
  query?: Json;
  body?: unknown;
  bodyLines?: unknown[];
  bodyText?: string;
  apiKey?: "none" | "wrong";
  expect: Json;
}

/** A scenario with the answers of the real server. */
export interface Vector {
  topic: string;
  name: string;
  level: "core" | "extended";
  minServer: string;
  collection?: Json & { name: string };
  documents?: Json[];
  requests: VectorRequest[];
}

/** Every vector of a folder, in the order of the files, which are JSON: `{"topic", "vectors"}`. */
export function readVectors(folder: string): Vector[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .flatMap((file) => {
      const content = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
        topic: string;
        vectors: Omit<Vector, "topic">[];
      };
      return content.vectors.map((vector) => ({ ...vector, topic: content.topic }));
    });
}
