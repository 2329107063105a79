/** Limits of whole records; those of their members are in the contract. */
export const limits = {
  /** UTF-8 bytes of a line; a record as the line that an export writes. */
  lineBytes: 1024 * 1024,
  /** A record as it travels: with its wrapping it must fit into a request, which has at most 4 MiB. */
  messageBytes: 3.5 * 1024 * 1024,
} as const;

/** The rule that a record of so many bytes of protobuf breaks; undefined if none. */
export function messageSizeFault(sizeBytes: number): string | undefined {
  return sizeBytes > limits.messageBytes ? "must be at most 3.5 MiB in protobuf" : undefined;
}
