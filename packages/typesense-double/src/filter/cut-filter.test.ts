import { describe, expect, it } from "vitest";
import { TypesenseError } from "../typesense-error.ts";
import { cutFilter } from "./cut-filter.ts";

describe("cutFilter", () => {
  it("cuts at parentheses and operators, and leaves a single sign in its value", () => {
    expect(cutFilter("(a:1 && b: > 2) || tags:AT&T ")).toEqual([
      "(",
      "a:1",
      "&&",
      "b: > 2",
      ")",
      "||",
      "tags:AT&T",
    ]);
  });

  it("keeps operators, commas and parentheses between backticks in one operand", () => {
    expect(cutFilter("name:=[`Random, Jack`, `A && (B)`] && n:1")).toEqual([
      "name:=[`Random, Jack`, `A && (B)`]",
      "&&",
      "n:1",
    ]);
  });

  it("lets a backtick in a value end the quoting, an escaped one too", () => {
    expect(cutFilter("f:=`a\\` || id:*")).toEqual(["f:=`a\\`", "||", "id:*"]);
    expect(cutFilter("f:=`a` || id:*`")).toEqual(["f:=`a`", "||", "id:*`"]);
    expect(cutFilter("f:=`a\\`b` || id:*`")).toEqual(["f:=`a\\`b` || id:*`"]);
  });

  it("takes everything behind `:(` to the next `)`, quoted or not", () => {
    expect(cutFilter("f:!=`sad :(` && n:>1")).toEqual(["f:!=`sad :(` && n:>1"]);
    expect(cutFilter("f:!=`sad : (` && n:>1 && (m:2) && k:3")).toEqual([
      "f:!=`sad : (` && n:>1 && (m:2)",
      "&&",
      "k:3",
    ]);
  });

  it("ends the operand at the `]` that closes `:[(`, but not at that of `:[`", () => {
    expect(cutFilter("f:=`Foo: [Remaster]` && n:1")).toEqual(["f:=`Foo: [Remaster]`", "&&", "n:1"]);
    expect(cutFilter("f:=`a:[(b)] || id:*`")).toEqual(["f:=`a:[(b)]", "||", "id:*`"]);
  });

  it("takes joins and object filters as one operand", () => {
    expect(cutFilter("!$Orders(a:1 && (b:2)) && c:3")).toEqual([
      "!$Orders(a:1 && (b:2))",
      "&&",
      "c:3",
    ]);
    expect(cutFilter("box.{w:>1 && h:2} || c:3")).toEqual(["box.{w:>1 && h:2}", "||", "c:3"]);
  });

  it.each(["& a:1", "a:1 && | b:2", "$Orders(a:1", "box.{a:1", "f:[(1"])("refuses %s", (filter) => {
    expect(() => cutFilter(filter)).toThrow(TypesenseError);
  });
});
