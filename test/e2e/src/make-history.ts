import { writeFile } from "node:fs/promises";
import { readObservations } from "./model/read-observations.ts";
import type { Observation } from "./model/read-observations.ts";

const dayMs = 24 * 60 * 60 * 1000;
const kinds = new Set(["sandbox", "offer", "item", "asset", "build"]);

/** Every n-th record is deleted on the second day and returns on the third. */
const deletedEvery = 10;

/**
 * Writes a history of some days: the records of an import file, then for each day a new state of each
 * record that the changelog covers.
 */
export async function makeHistory(file: string, days: number, out: string): Promise<void> {
  const first = await readObservations(file);
  const changing = newestStates(first.filter(({ kind }) => kinds.has(kind)));
  const later = Array.from({ length: days }, (_, index) =>
    changing.map((observation, position) => stateOn(index + 1, observation, position)),
  );
  const lines = [first, ...later].flat().map((observation) => `${JSON.stringify(observation)}\n`);
  await writeFile(out, lines.join(""));
}

/** The last observation of each record, since a catalogue also has earlier ones. */
function newestStates(observations: readonly Observation[]): Observation[] {
  const newest = new Map(
    observations.map((observation) => {
      const { id, artifactId, platform } = observation.record;
      return [JSON.stringify([observation.kind, id, artifactId, platform]), observation];
    }),
  );
  return [...newest.values()];
}

function stateOn(day: number, observation: Observation, position: number): Observation {
  const { kind, record } = observation;
  const changing = kind === "build" ? "hash" : "title";
  const tags = Array.isArray(record["tags"]) ? (record["tags"] as unknown[]) : [];
  const isNew = (day + position) % 3 !== 0;
  return {
    ...observation,
    op: day === 2 && position % deletedEvery === 0 ? "delete" : "upsert",
    observedAt: new Date(Date.parse(observation.observedAt) + day * dayMs).toISOString(),
    record: {
      ...record,
      // Every third state is the first one again.
      ...(isNew ? { [changing]: `State of day ${day}` } : {}),
      ...(tags.length === 0 ? {} : { tags: tags.slice(day % 2) }),
    },
  };
}
