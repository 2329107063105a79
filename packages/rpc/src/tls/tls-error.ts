/** TLS that cannot be set up as it was asked for; the message is one sentence for the operator. */
export class TlsError extends Error {
  override readonly name = "TlsError";
}
