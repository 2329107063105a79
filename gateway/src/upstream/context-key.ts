/** Names the record that a changelog entry is about; its members are identifiers. */
export interface ContextRef {
  contextType: string;
  contextId: string;
}

/** A reference as one string: identifiers hold no line feed. */
export function contextKeyOf({ contextType, contextId }: ContextRef): string {
  return `${contextType}\n${contextId}`;
}

/** The reference that a key was made of. */
export function contextRefOf(key: string): ContextRef {
  const end = key.indexOf("\n");
  return { contextType: key.slice(0, end), contextId: key.slice(end + 1) };
}
