import { expect, test } from "vitest";
import { FeedJournal } from "./feed-journal.ts";

const at = (sequence: number, identity = `of ${sequence}`) => ({ sequence, identity });

const begun = (sequence: number, ...max: number[]) => {
  const journal = new FeedJournal(...max);
  journal.begin(at(sequence));
  return journal;
};

test("a value is touched by entries after it was begun, and by none before", () => {
  const journal = begun(10);
  journal.advance(at(11), ["a", "b"]);
  journal.advance(at(12), ["c"]);
  expect(journal.judge(["a"], at(10))).toBe("touched");
  expect(journal.judge(["a"], at(11))).toBe("untouched");
  expect(journal.judge(["x", "c"], at(11))).toBe("touched");
  expect(journal.judge(["x"], at(10))).toBe("untouched");
  expect(journal.judge([], at(12))).toBe("untouched");
});

test("a value that was begun before the journal, or at no position, is unknown", () => {
  expect(new FeedJournal().judge(["a"], at(0))).toBe("unknown");
  const journal = begun(10);
  expect(journal.judge(["a"], at(9))).toBe("unknown");
  expect(journal.judge(["a"], undefined)).toBe("unknown");
});

test("a value that was begun at a position the log never had, or has not reached, is touched", () => {
  const journal = begun(5);
  journal.advance(at(7), []);
  const judged = [at(5), at(7), at(7, "lost"), at(6), at(8)].map((position) =>
    journal.judge([], position),
  );
  expect(judged).toEqual(["untouched", "untouched", "touched", "touched", "touched"]);
});

test("a journal that restarts forgets its entries", () => {
  const journal = begun(10);
  journal.advance(at(11), ["a"]);
  journal.begin(at(3, "another"));
  expect(journal.judge([], at(11))).toBe("touched");
  expect(journal.judge([], at(3))).toBe("touched");
  expect(journal.judge(["a"], at(3, "another"))).toBe("untouched");
});

test("a full journal reports what it has dropped as unknown", () => {
  const journal = begun(0, 10, 10_000);
  for (let sequence = 1; sequence <= 1000; sequence++) {
    journal.advance(at(sequence), [`t${sequence}`]);
    for (const age of [0, 5, 10, 15, 25, 50]) {
      const begunAt = sequence - age;
      if (begunAt < 0) continue;
      // Touched right after it was begun, if anything was written since.
      const verdict = journal.judge([`t${begunAt + 1}`], at(begunAt));
      const mayBeForgotten = age > 5 ? ["unknown"] : [];
      expect([age === 0 ? "untouched" : "touched", ...mayBeForgotten]).toContain(verdict);
    }
  }
  expect(journal.judge(["x"], at(0))).toBe("unknown");
});

test("values at dropped positions are judged by their tags alone", () => {
  const journal = begun(5, 100, 3);
  for (let sequence = 6; sequence <= 12; sequence++) journal.advance(at(sequence), []);
  expect(journal.judge([], at(5, "forgotten"))).toBe("untouched");
  expect(journal.judge([], at(12))).toBe("untouched");
  expect(journal.judge([], at(11, "lost"))).toBe("touched");
});
