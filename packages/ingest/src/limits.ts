/** Limits of whole observations, over which one is rejected; those of its members are in the contract. */
export const limits = {
  /** UTF-8 bytes of a line of the import format; a record as the line that an export writes. */
  lineBytes: 1024 * 1024,
  /** A record as it travels: with its wrapping it must fit into a request, which has at most 4 MiB. */
  messageBytes: 3.5 * 1024 * 1024,
  /** How far ahead of the service's clock an observation may be. */
  aheadMs: 24 * 60 * 60 * 1000,
} as const;
