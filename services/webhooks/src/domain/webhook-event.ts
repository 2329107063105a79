/** An event of a stream, as it is stored and sent. */
export interface WebhookEvent {
  type: string;
  /** Events with the same key stay in order. */
  recordKey: string;
  /** Of price changes. */
  region: string | undefined;
  body: string;
}

/** Members of the gateway's events that are read here; `data` is sent whole. */
interface EntryData {
  metadata: { contextType: string; contextId: string };
}
interface PriceChangeData {
  offerId: string;
  region: string;
}
interface QueryEventData {
  offerId: string;
}

export const entrySource = "/changelist/stream";
export const priceSource = "/price-changes/stream";

/** @param country undefined for the default country of the gateway */
export function querySource(queryId: string, country: string | undefined): string {
  const path = `/queries/${encodeURIComponent(queryId)}/stream`;
  return country === undefined ? path : `${path}?country=${encodeURIComponent(country)}`;
}

/** What an endpoint can receive. */
export type EventName = "entry" | "price" | "query";

/** What an endpoint receives. */
export interface Subscription {
  events: readonly EventName[];
  /** Of the event `query`. */
  queryId?: string | undefined;
  /** Of prices; default all regions, and for queries the default country of the gateway. */
  country?: string | undefined;
}

/** The streams of the gateway that a subscription needs. */
export function sourcesOf({ events, queryId, country }: Subscription): string[] {
  return events.map((event) => {
    if (event === "entry") return entrySource;
    if (event === "price") return priceSource;
    if (queryId === undefined) throw new TypeError("The rules let no query without an id pass.");
    return querySource(queryId, country);
  });
}

/** The event that a caller asks for to test an endpoint, in an order of its own. */
export function testEventOf(webhookId: string, deliveryId: string, storedAt: Date): WebhookEvent {
  const type = "webhook.test";
  const body = JSON.stringify({ type, timestamp: storedAt.toISOString(), data: { webhookId } });
  return { type, recordKey: `test:${deliveryId}`, region: undefined, body };
}

/**
 * The webhook of an event of the gateway's stream.
 *
 * @param source path of the stream
 * @param json data of the event
 */
export function webhookEventOf(source: string, json: string, storedAt: Date): WebhookEvent {
  const data: unknown = JSON.parse(json);
  const { type, recordKey, region } = detailsOf(source, data);
  const body = JSON.stringify({ type, timestamp: storedAt.toISOString(), data });
  return { type, recordKey, region, body };
}

function detailsOf(source: string, data: unknown): Omit<WebhookEvent, "body"> {
  if (source === entrySource) {
    const { contextType, contextId } = (data as EntryData).metadata;
    const recordKey = `${contextType}:${contextId}`;
    return { type: "entry.created", recordKey, region: undefined };
  }
  if (source === priceSource) {
    const { offerId, region } = data as PriceChangeData;
    return { type: "price.changed", recordKey: `price:${offerId}:${region}`, region };
  }
  const { offerId } = data as QueryEventData;
  return { type: "query.matched", recordKey: `${source}:${offerId}`, region: undefined };
}
