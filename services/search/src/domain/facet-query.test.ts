import { expect, it } from "vitest";
import { containing } from "./facet-query.ts";

it.each([
  ["ubi", "Ubisoft"],
  ["EYE", "BattlEye"],
  ["anticheat", "EasyAntiCheat"],
  ["easy anti", "EasyAntiCheat"],
  ["epicgam", "Epic Games"],
  ["games epic", "Epic Games"],
  ["half-life", "Half Life"],
  ["halflife", "Half-Life"],
  ["artico", "Ártico"],
  ["strasse", "Straße Studios"],
  ["dlss", "NVIDIA_DLSS"],
  ["at&t", "AT&T [Games] (x)"],
  ["雪", "雪の庭"],
  ["!?", "What!?"],
  ["+ c", "C++"],
])("%j is contained in %j", (typed, value) => {
  expect(containing(typed)(value)).toBe(true);
});

it.each([
  ["ca", "Epic Art"],
  ["ubisoft paris", "Ubisoft"],
  ["sgam", "Epic Games"],
  ["!?", "What"],
  ["庭雪", "雪の庭"],
])("%j is not contained in %j", (typed, value) => {
  expect(containing(typed)(value)).toBe(false);
});
