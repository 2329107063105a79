import type { Transport } from "@connectrpc/connect";
import type { FeedName } from "@storefront/config";
import { observationLine } from "../../export/observation-line.ts";
import { ingestServices } from "../../import/ingest-services.ts";
import { createLinePlacer } from "./placed-line.ts";
import type { PlacedLine } from "./placed-line.ts";

/** What a service of the copy has, as the lines that a snapshot of the copy would have of it. */
export async function* copyLines(
  service: FeedName,
  transport: Transport,
): AsyncGenerator<PlacedLine[]> {
  const place = createLinePlacer();
  // It takes as long as what it is compared with.
  for await (const { observations } of ingestServices[service].export(transport, {
    timeoutMs: 0,
  })) {
    yield observations.map((observation) =>
      place(observationLine(observation, service === "catalog").slice(0, -1)),
    );
  }
}
