import { zWholeNumber } from "@storefront/config";
import { z } from "zod";

/** A century: what is longer is a mistake of the unit, and 0 means for ever. */
const longestDays = 36_500;

/** Variables that say how long the change log of a service is kept. */
export const logRetentionShape = {
  /** Days for which entries are kept at least; 0 keeps all. */
  LOG_RETENTION_DAYS: zWholeNumber({ min: 0, max: longestDays }).default(30),
  /** Days more for which entries are kept that a registered follower has not passed. */
  LOG_FOLLOWER_GRACE_DAYS: zWholeNumber({ min: 0, max: longestDays }).default(7),
};

const zLogRetention = z.object(logRetentionShape);

/** The retention that the variables ask for. */
export function logRetentionOf(settings: z.output<typeof zLogRetention>) {
  return {
    retentionDays: settings.LOG_RETENTION_DAYS,
    followerGraceDays: settings.LOG_FOLLOWER_GRACE_DAYS,
  };
}
