import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A secret of 24 random bytes, as https://www.standardwebhooks.com words it. */
export function createSecret(): string {
  return prefix + randomBytes(24).toString("base64");
}

/** What a receiver verifies. */
export interface SignedMessage {
  /** `webhook-id`: the same for each attempt. */
  id: string;
  /** Of the attempt, so that receivers can refuse replays. */
  sentAt: Date;
  body: string;
}

/** The headers of Standard Webhooks, signed with each secret. */
export function signatureHeaders(
  { id, sentAt, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
