import { z } from "zod"

/** The lifetime of a session cookie, and well above the grace period for late payments. */
const MIN_DAYS = 30
const MAX_DAYS = 3_650

/** Retention of personal data. */
export const retentionFields = {
  /** Null: unlimited. */
  RETENTION_DAYS: z
    .string()
    .refine(isRetention, `must be a number of days from ${MIN_DAYS} to ${MAX_DAYS}, or off`)
    .transform((days) => (days === "off" ? null : Number(days)))
    .default(null)
    .meta({
      description:
        "30 to 3 650: days after which email and address of a customer without purchases are erased",
      default: "`off`",
    }),
}

function isRetention(days: string): boolean {
  return days === "off" || (/^\d+$/.test(days) && Number(days) >= MIN_DAYS && Number(days) <= MAX_DAYS)
}
