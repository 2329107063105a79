/** How clients follow a stream of changes. */
export interface EventFollowersOptions {
  /** Port of the gateway, on this machine. */
  port: number;
  clients: number;
  /** How many of the clients record when each event arrives. */
  lookedAt: number;
  /** How many events each of those waits for. */
  events: number;
}
