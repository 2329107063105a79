/** A record that does not have the form of its kind; `message` is a sentence for people. */
export class RecordFormatError extends Error {
  override readonly name = "RecordFormatError";
  /** Path of the member at fault, such as `keyImages[2].width`; empty for the record itself. */
  readonly field: string;

  /**
   * @param prefix what the path starts at in the sentence, such as `offer`; may be empty.
   * @param rule the rest of the sentence, such as `must be an integer`.
   */
  constructor(prefix: string, field: string, rule: string) {
    const subject = [prefix, field].filter((part) => part !== "").join(".");
    super(`${subject === "" ? "the record" : subject} ${rule}`);
    this.field = field;
  }
}
