import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { once } from "node:events";

/** An event as received. */
export interface ReceivedEvent {
  id: string;
  data: Record<string, unknown>;
}

/** A stream of events that a test reads by hand. */
export interface EventReader {
  status: number;
  headers: IncomingHttpHeaders;
  /** Every event so far. */
  events: ReceivedEvent[];
  /** The last id so far, with or without an event. */
  lastEventId: string | undefined;
  /** Comments so far. */
  comments: number;
  /** Resolves with the first `count` events; rejects when the stream ends before. */
  first(count: number): Promise<ReceivedEvent[]>;
  /** Resolves with whether the stream ended cleanly. */
  ended: Promise<boolean>;
  pause(): void;
  resume(): void;
  /** Disconnects. */
  close(): void;
}

/** Follows a stream over a connection of its own. */
export async function openEvents(
  baseUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const { hostname, port } = new URL(baseUrl);
  const sent = httpRequest({ hostname, port, path, headers, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const events: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  let rest = "";
  const reader: EventReader = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    lastEventId: undefined,
    comments: 0,
    first: (count) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (events.length >= count) resolve(events.slice(0, count));
          else if (isOver) reject(new Error(`the stream ended after ${events.length} events`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    ended: new Promise((resolve) => {
      response.once("close", () => {
        isOver = true;
        for (const look of waiting) look();
        resolve(response.complete);
      });
    }),
    pause: () => response.pause(),
    resume: () => response.resume(),
    close: () => sent.destroy(),
  };
  sent.on("error", () => undefined);
  response.on("error", () => undefined);
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) reader.comments++;
      const id = /^id: (.*)$/m.exec(block)?.[1];
      if (id !== undefined) reader.lastEventId = id;
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (id !== undefined && data !== undefined) {
        events.push({ id, data: JSON.parse(data) as Record<string, unknown> });
      }
    }
    for (const look of waiting) look();
  });
  return reader;
}
