import type { CustomAttribute } from "@storefront/contracts/catalog/v1/offer";
import type { KeyImage } from "@storefront/contracts/type/v1/image";
import { z } from "zod";

/** An object that is a component of the OpenAPI document. */
export function zObject<Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  shape: Shape,
) {
  return z.object(shape).meta({ id, description });
}

export function zList<Element extends z.ZodType>(element: Element, description: string) {
  return z.array(element).meta({ description });
}

export function zStrings(description: string, example: string[]) {
  return z.array(z.string()).meta({ description, example });
}

/** Text. */
export function zString(description: string, example: string) {
  return z.string().meta({ description, example });
}

/** Text, null when unknown. */
export function zText(description: string, example: string) {
  return z.string().nullable().meta({ description, example });
}

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const zIsoInstant = z
  .string()
  .regex(isoInstant)
  .meta({ format: "date-time", example: "2021-03-16T19:05:41.000Z" })
  .nullable();

/** An ISO 8601 instant in UTC with milliseconds, null when unknown. */
export function zInstant(description: string) {
  return zIsoInstant.meta({ description });
}

/** True or false, null when unknown. */
export function zFlag(description: string) {
  return z.boolean().nullable().meta({ description });
}

/** A number of records or the like. */
export function zCount(description: string, example: number) {
  return z.int().min(0).meta({ description, example });
}

/** A number of bytes, null when unknown. */
export function zSizeBytes(description: string, example: number) {
  return z.int().min(0).nullable().meta({ description, example });
}

/** A 64-bit integer as a JSON number, exact up to 2^53; null when unknown. */
export function integerOf(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value);
}

const zKeyImage = zObject("KeyImage", "A picture of an offer or item.", {
  type: zText("Role of the picture.", "OfferImageWide"),
  url: zText(
    "Address as the source gives it; may be relative.",
    "https://images.example.com/calluna/wide.jpg",
  ),
  width: z.int().nullable().meta({ description: "Pixels.", example: 2560 }),
  height: z.int().nullable().meta({ description: "Pixels.", example: 1440 }),
  md5: zText("MD5 digest of the picture's bytes.", "9e107d9d372bb6826bd81d3542a419d6"),
});

export const zKeyImages = zList(zKeyImage, "Pictures, in the order of the source.");

export function keyImagesOf(images: readonly KeyImage[]): z.output<typeof zKeyImages> {
  return images.map(({ type, url, width, height, md5 }) => ({
    type: type ?? null,
    url: url ?? null,
    width: width ?? null,
    height: height ?? null,
    md5: md5 ?? null,
  }));
}

const zCustomAttribute = zObject("CustomAttribute", "A named value from the source.", {
  key: zString("Name of the value.", "isBlockchainUsed"),
  type: zText("Kind of value.", "BOOLEAN"),
  value: zText("The value as text.", "false"),
});

export const zCustomAttributes = zList(
  zCustomAttribute,
  "Further values, in the order of the source.",
);

export function customAttributesOf(
  attributes: readonly CustomAttribute[],
): z.output<typeof zCustomAttributes> {
  return attributes.map(({ key, type, value }) => ({
    key,
    type: type ?? null,
    value: value ?? null,
  }));
}
