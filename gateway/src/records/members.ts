import type { CustomAttribute } from "@storefront/contracts/catalog/v1/offer";
import type { KeyImage } from "@storefront/contracts/type/v1/image";
import { z } from "zod";

/** Text, null when unknown. */
export const zText = z.string().nullable();

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An ISO 8601 instant in UTC with milliseconds, null when unknown. */
export const zInstant = z
  .string()
  .regex(isoInstant)
  .meta({ format: "date-time", example: "2021-03-16T19:05:41.000Z" })
  .nullable();

/** True or false, null when unknown. */
export const zFlag = z.boolean().nullable();

/** A number of bytes, null when unknown. */
export const zSizeBytes = z.int().min(0).nullable();

/** A 64-bit integer as a JSON number, exact up to 2^53; null when unknown. */
export function integerOf(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value);
}

const zKeyImage = z
  .object({
    type: zText.meta({ description: "Role of the picture.", example: "OfferImageWide" }),
    url: zText.meta({
      description: "Address as the source gives it; may be relative.",
      example: "https://images.example.com/calluna/wide.jpg",
    }),
    width: z.int().nullable().meta({ description: "Pixels.", example: 2560 }),
    height: z.int().nullable().meta({ description: "Pixels.", example: 1440 }),
    md5: zText.meta({
      description: "MD5 digest of the picture's bytes.",
      example: "9e107d9d372bb6826bd81d3542a419d6",
    }),
  })
  .meta({ id: "KeyImage", description: "A picture of an offer or item." });

export const zKeyImages = z
  .array(zKeyImage)
  .meta({ description: "Pictures, in the order of the source." });

export function keyImagesOf(images: readonly KeyImage[]): z.output<typeof zKeyImages> {
  return images.map(({ type, url, width, height, md5 }) => ({
    type: type ?? null,
    url: url ?? null,
    width: width ?? null,
    height: height ?? null,
    md5: md5 ?? null,
  }));
}

const zCustomAttribute = z
  .object({
    key: z.string().meta({ description: "Name of the value.", example: "isBlockchainUsed" }),
    type: zText.meta({ description: "Kind of value.", example: "BOOLEAN" }),
    value: zText.meta({ description: "The value as text.", example: "false" }),
  })
  .meta({ id: "CustomAttribute", description: "A named value from the source." });

export const zCustomAttributes = z
  .array(zCustomAttribute)
  .meta({ description: "Further values, in the order of the source." });

export function customAttributesOf(
  attributes: readonly CustomAttribute[],
): z.output<typeof zCustomAttributes> {
  return attributes.map(({ key, type, value }) => ({
    key,
    type: type ?? null,
    value: value ?? null,
  }));
}
