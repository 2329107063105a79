/** Identifies the record of a changelog entry. */
export interface ContextRef {
  contextType: string;
  contextId: string;
}

/** A reference as one string: identifiers have no line feed. */
export function contextKeyOf({ contextType, contextId }: ContextRef): string {
  return `${contextType}\n${contextId}`;
}

export function contextRefOf(key: string): ContextRef {
  const end = key.indexOf("\n");
  return { contextType: key.slice(0, end), contextId: key.slice(end + 1) };
}
