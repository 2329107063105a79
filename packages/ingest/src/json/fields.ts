import type { Message } from "@bufbuild/protobuf";

/** A message as a plain object: by the local names of its fields. */
export type Fields = Record<string, unknown>;

/** The same object, for code that is driven by descriptors and knows no generated type. */
export function fieldsOf(message: Message): Fields {
  return message as object as Fields;
}
