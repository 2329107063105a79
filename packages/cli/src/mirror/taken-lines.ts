import { createSummaryRecorder } from "../import/summary.ts";
import { UserError } from "../user-error.ts";

/** Sees that a copy leaves nothing out: one that does is none. */
export class TakenLines {
  readonly #note: (line: string) => void;
  #refusal = "";
  #unknownMembers = 0;
  /** Of the importer. */
  readonly summary = createSummaryRecorder(({ reason }) => {
    this.#refusal ||= reason;
  }, false);

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** @throws UserError when a line was refused */
  require(): void {
    if (this.summary.rejectedCount > 0) {
      throw new UserError(
        `A record was refused (${this.#refusal}). The mirror stops before it, so that nothing is left out; its stack may be of an older release than the origin.`,
      );
    }
    const { unknownMembers } = this.summary.result();
    if (unknownMembers > 0 && this.#unknownMembers === 0) {
      this.#note(
        "The origin gives members that this release does not know, which are left out: update it.",
      );
    }
    this.#unknownMembers = unknownMembers;
  }
}
