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

/** A true-or-false answer, null when unknown. */
export const zFlag = z.boolean().nullable();

/** A number of bytes, null when unknown. */
export const zSizeBytes = z.int().min(0).nullable();
