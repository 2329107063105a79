import { expect, test } from "vitest";
import { TagJournal } from "./tag-journal.ts";

const begun = (position: number, tagsMax?: number) => {
  const journal = new TagJournal(tagsMax);
  journal.begin(position);
  return journal;
};

test("a value is touched by what came after it was begun, and by nothing before", () => {
  const journal = begun(10);
  journal.touch(["a", "b"], 11);
  journal.touch(["c"], 12);
  journal.advance(12);
  expect(journal.judge(["a"], 10)).toBe("touched");
  expect(journal.judge(["a"], 11)).toBe("untouched");
  expect(journal.judge(["x", "c"], 11)).toBe("touched");
  expect(journal.judge(["x"], 10)).toBe("untouched");
  expect(journal.judge([], 12)).toBe("untouched");
});

test("nothing is known of what was begun before the journal, beyond it, or nowhere", () => {
  expect(new TagJournal().judge(["a"], 0)).toBe("unknown");
  const journal = begun(10);
  expect(journal.judge(["a"], 9)).toBe("unknown");
  expect(journal.judge(["a"], 11)).toBe("unknown");
  expect(journal.judge(["a"], undefined)).toBe("unknown");
});

test("a journal that begins anew has forgotten", () => {
  const journal = begun(10);
  journal.touch(["a"], 11);
  journal.advance(11);
  journal.begin(3);
  expect(journal.judge(["a"], 10)).toBe("unknown");
  expect(journal.judge(["a"], 3)).toBe("untouched");
});

test("what it forgets for want of room it does not claim to know", () => {
  const journal = begun(0, 10);
  for (let sequence = 1; sequence <= 1000; sequence++) {
    journal.touch([`t${sequence}`], sequence);
    journal.advance(sequence);
    for (const age of [0, 5, 10, 15, 25, 50]) {
      const begunAt = sequence - age;
      if (begunAt < 0) continue;
      // Touched right after it was begun, if anything was written since.
      const verdict = journal.judge([`t${begunAt + 1}`], begunAt);
      const mayBeForgotten = age > 5 ? ["unknown"] : [];
      expect([age === 0 ? "untouched" : "touched", ...mayBeForgotten]).toContain(verdict);
    }
  }
  expect(journal.judge(["x"], 0)).toBe("unknown");
});
