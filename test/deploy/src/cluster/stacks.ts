import { namespace } from "./cluster.ts";

/** An installation in the cluster. */
export interface Stack {
  namespace: string;
  /** Of every service that takes observations. */
  ingestToken: string;
  /** Whether its services expect TLS, and certificates of their clients. */
  hasTls: boolean;
}

/** The installations of the tests. */
export const stacks = {
  production: { namespace, ingestToken: "token-of-the-tests", hasTls: true },
  /** As the overlay for one node has it. */
  oneNode: {
    namespace: "storefront-dev",
    ingestToken: "development-only-token",
    hasTls: false,
  },
} satisfies Record<string, Stack>;
