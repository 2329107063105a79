/** A statement did not end in time, whatever was tried: nothing more can be done on its connection. */
export class ConnectionSilentError extends Error {
  override readonly name = "ConnectionSilentError";

  constructor() {
    super("The connection is silent.");
  }
}
