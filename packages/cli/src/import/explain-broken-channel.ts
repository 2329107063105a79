import { Code, ConnectError } from "@connectrpc/connect";
import { messageOf } from "../user-error.ts";
import type { ChannelBrokenError } from "./ingest-channel.ts";

/** Says what broke and what to do, as the reason of the first line that was not answered. */
export function explainBrokenChannel({ service, cause }: ChannelBrokenError): string {
  if (cause instanceof ConnectError && cause.code === Code.Unauthenticated) {
    return `the ${service} service refused the ingest token (INGEST_TOKEN, or ingest-token in DATA_DIR)`;
  }
  return (
    `the connection to the ${service} service broke (${messageOf(cause)}); ` +
    `its earlier lines are stored, import again for the rest`
  );
}
