/** A free attribute of an offer or item. */
export interface AttributeRecord {
  readonly key: string;
  readonly type: "STRING" | "BOOLEAN" | "INTEGER";
  readonly value: string;
}

/** A text attribute. */
export function textAttribute(key: string, value: string): AttributeRecord {
  return { key, type: "STRING", value };
}

/** An attribute that is true. */
export function trueAttribute(key: string): AttributeRecord {
  return { key, type: "BOOLEAN", value: "true" };
}
