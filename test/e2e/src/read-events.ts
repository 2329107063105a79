import { componentDepartures } from "@storefront/test-contract/documented-answer";

/** An entry as `/changelist/stream` sends it. */
export interface ChangeEvent {
  id: string;
  data: { _id: string };
}

/**
 * Follows `/changelist/stream` as a browser does, over one connection.
 *
 * @param lastEventId the entry after which to begin.
 * @throws TypeError when the connection fails or is cut off, Error when the response is not 200 or an
 * entry does not match the OpenAPI document.
 */
export async function* readEvents(
  gatewayUrl: string,
  lastEventId: string,
  signal?: AbortSignal,
): AsyncGenerator<ChangeEvent> {
  const response = await fetch(`${gatewayUrl}/changelist/stream`, {
    headers: { "last-event-id": lastEventId },
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The stream responded with status ${response.status}.`);
  }
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [id, data] = ["id: ", "data: "].map((name) => valueOf(block, name));
      if (id === undefined || data === undefined) continue;
      const entry: unknown = JSON.parse(data);
      const found = componentDepartures("ChangelogEntry", entry);
      if (found.length > 0) throw new Error(`${id}: ${found.join("; ")}`);
      yield { id, data: entry as ChangeEvent["data"] };
    }
  }
}

function valueOf(block: string, name: string): string | undefined {
  return block
    .split("\n")
    .find((line) => line.startsWith(name))
    ?.slice(name.length);
}
