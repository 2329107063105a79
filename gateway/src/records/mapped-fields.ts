import type { Message } from "@bufbuild/protobuf";

/** Names of a message's fields, or of the members of another object. */
export type FieldOf<Shown extends object> = Exclude<keyof Shown, keyof Message> & string;

/**
 * The result of a mapper that shows a message, or another object that is made of one. Where the result has no
 * member for a field of the message, it is also `Unmapped` of that field, which nothing is: so a new field
 * fails the type check of the mapper, until it is a member of the result or named there. These are types alone.
 *
 * Members that are messages, or lists of messages, are checked too; their fields have paths such as
 * `price.discount`.
 *
 * @typeParam Otherwise fields that are shown under another name, or not at all
 */
export type Mapped<
  Result,
  Shown extends object,
  Otherwise extends UnmappedPath<Result, Shown> = never,
> = [Exclude<UnmappedPath<Result, Shown>, Otherwise>] extends [never]
  ? Result
  : Result & Unmapped<`${Exclude<UnmappedPath<Result, Shown>, Otherwise>}`>;

/** Names the fields of a message that a result lacks. */
export interface Unmapped<Fields extends string> {
  readonly unmappedFields: Fields;
}

/** Paths of a message's fields that the result has no member for. */
type UnmappedPath<Result, Shown extends object> = {
  [Field in FieldOf<Shown>]-?: Field extends keyof Result
    ? UnmappedWithin<Field, NonNullable<Result[Field]>, NonNullable<Shown[Field]>>
    : Field;
}[FieldOf<Shown>];

/** The same of a member; one that is shown in another form, such as an instant, has none. */
type UnmappedWithin<Field extends string, Result, Value> = Value extends readonly (infer Element)[]
  ? Result extends readonly (infer ResultElement)[]
    ? UnmappedWithin<Field, ResultElement, Element>
    : never
  : Value extends Message<`storefront.${string}`>
    ? Result extends object
      ? `${Field}.${UnmappedPath<Result, Value>}`
      : never
    : never;
