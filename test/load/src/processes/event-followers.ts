// Follows a gateway's stream of changes with many clients. The first message has the options, and gets
// a response when all of them follow; the second one gets the arrival times at the clients that record
// them, once all events have arrived.
import { once } from "node:events";
import { connect } from "node:net";
import type { EventFollowersOptions } from "../event-followers.ts";

// Starts the data of an event, and never occurs in JSON.
const marker = Buffer.from("\ndata: ");

interface Follower {
  opened: Promise<void>;
  /** When each event arrived, in milliseconds since 1970. */
  arrivals: Promise<number[]>;
}

function follow(port: number, events: number): Follower {
  const socket = connect({ host: "127.0.0.1", port });
  socket.write("GET /changelist/stream HTTP/1.1\r\nHost: bench\r\n\r\n");
  const opened = Promise.withResolvers<void>();
  const done = Promise.withResolvers<number[]>();
  socket.once("error", opened.reject);
  socket.once("data", (head: Buffer) => {
    if (head.includes(" 200 OK")) opened.resolve();
    else opened.reject(new Error(head.toString()));
  });
  // The others only drain the stream: parsing it would cost more than the gateway's work.
  if (events === 0) return { opened: opened.promise, arrivals: Promise.resolve([]) };
  const arrivals: number[] = [];
  let rest = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    const nowMs = performance.timeOrigin + performance.now();
    const text = Buffer.concat([rest, bytes]);
    for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + marker.length)) {
      arrivals.push(nowMs);
    }
    // A marker may be split in two.
    rest = text.subarray(
      Math.max(text.lastIndexOf(marker) + marker.length, text.length - marker.length + 1),
    );
    if (arrivals.length >= events) done.resolve(arrivals);
  });
  socket.once("close", () =>
    done.reject(new Error(`a stream ended after ${arrivals.length} events`)),
  );
  return { opened: opened.promise, arrivals: done.promise };
}

async function run({ port, clients, lookedAt, events }: EventFollowersOptions): Promise<void> {
  const followers: Follower[] = [];
  for (let index = 0; index < clients; index++) {
    const follower = follow(port, index < lookedAt ? events : 0);
    // One after the other: a thousand connections at once would not fit into a listener's queue.
    await follower.opened;
    followers.push(follower);
  }
  process.send?.({ ready: true });
  await once(process, "message");
  process.send?.(await Promise.all(followers.slice(0, lookedAt).map(({ arrivals }) => arrivals)));
}

process.once("message", (options: EventFollowersOptions) => {
  void run(options);
});
process.send?.({ ready: true });
