/** Ends a text that was shortened. */
const ellipsis = "…";

/** Shorter texts are left whole. */
const shortenedMinLength = 200;

/** A list or a text of a result, which can be replaced by a shorter one. */
interface Part {
  readonly length: number;
  readonly shorten: (excess: number) => void;
}

/**
 * A result whose JSON has at most `maxLength` characters, of the same schema: its longest list loses its last
 * elements. An element is whole or absent. Long texts outside lists end in an ellipsis.
 */
export function fittingResult(result: object, maxLength: number): unknown {
  // In an object, so that a bare list is a part as well.
  const whole = { result: structuredClone(result) };
  for (;;) {
    const excess = JSON.stringify(whole.result).length - maxLength;
    const [longest] = excess > 0 ? partsOf(whole).toSorted((a, b) => b.length - a.length) : [];
    if (longest === undefined) return whole.result;
    longest.shorten(excess);
  }
}

/** What can be shortened of an object, and of the objects in it, but not inside lists. */
function partsOf(value: Record<string, unknown>): Part[] {
  return Object.entries(value).flatMap(([name, member]): Part[] => {
    if (Array.isArray(member)) {
      if (member.length === 0) return [];
      const shorten = (excess: number) => dropLast(member, excess);
      return [{ length: JSON.stringify(member).length, shorten }];
    }
    if (typeof member === "string" && member.length > shortenedMinLength) {
      const shorten = (excess: number) => {
        const end = Math.max(shortenedMinLength - 1, member.length - excess - 1);
        value[name] = member.slice(0, end).toWellFormed() + ellipsis;
      };
      return [{ length: member.length, shorten }];
    }
    return isRecord(member) ? partsOf(member) : [];
  });
}

function dropLast(list: unknown[], excess: number): void {
  for (let dropped = 0; dropped < excess && list.length > 0;) {
    dropped += JSON.stringify(list.pop()).length + 1;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
