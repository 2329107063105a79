/** How a stream of changes is followed. */
export interface EventFollowersOptions {
  /** Of the gateway, on this machine. */
  port: number;
  clients: number;
  /** How many of the clients tell when each event came. */
  lookedAt: number;
  /** That each of those waits for. */
  events: number;
}
