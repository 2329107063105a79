import type { Message } from "@bufbuild/protobuf";

/** Names of a message's fields, or of the members of another object. */
export type FieldOf<Shown extends object> = Exclude<keyof Shown, keyof Message> & string;

/**
 * The answer of a mapper that shows a message, or another object that is made of one. Where that has a field
 * which the answer has no member for, it is also `NotShown` of that field, which nothing is: so a new field
 * fails the type check in the mapper, until it is a member of the answer or named there. Types alone, nothing
 * of it runs.
 *
 * Members that are messages themselves, or lists of them, are looked into; their fields go by paths
 * such as `price.discount`.
 *
 * @typeParam Otherwise fields that are shown under another name, or left out on purpose
 */
export type Shows<
  Answer,
  Shown extends object,
  Otherwise extends Unshown<Answer, Shown> = never,
> = [Exclude<Unshown<Answer, Shown>, Otherwise>] extends [never]
  ? Answer
  : Answer & NotShown<`${Exclude<Unshown<Answer, Shown>, Otherwise>}`>;

/** Names the fields of a message that an answer lacks. */
export interface NotShown<Fields extends string> {
  readonly fieldsNotShown: Fields;
}

/** Paths of a message's fields that the answer has no member for. */
type Unshown<Answer, Shown extends object> = {
  [Field in FieldOf<Shown>]-?: Field extends keyof Answer
    ? UnshownWithin<Field, NonNullable<Answer[Field]>, NonNullable<Shown[Field]>>
    : Field;
}[FieldOf<Shown>];

/** Those of a member; what is shown in another form, as an instant is, has none. */
type UnshownWithin<Field extends string, Answer, Value> = Value extends readonly (infer Element)[]
  ? Answer extends readonly (infer AnswerElement)[]
    ? UnshownWithin<Field, AnswerElement, Element>
    : never
  : Value extends Message<`storefront.${string}`>
    ? Answer extends object
      ? `${Field}.${Unshown<Answer, Value>}`
      : never
    : never;
