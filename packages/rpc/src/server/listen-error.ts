/** A port that a server cannot listen on; the message is one sentence for the operator. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly port: number;

  constructor(message: string, port: number, cause: unknown) {
    super(message, { cause });
    this.port = port;
  }
}

/** Says which port is the matter, and whether another process has it. */
export function listenError(port: number, cause: Error): ListenError {
  const taken = "code" in cause && cause.code === "EADDRINUSE";
  const message = taken
    ? `Port ${port} is in use by another process.`
    : `Cannot listen on port ${port}: ${cause.message}.`;
  return new ListenError(message, port, cause);
}
