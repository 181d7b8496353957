import { z } from "zod"

/** The lifetime of a session cookie, and well above the grace period for late payments. */
const MIN_DAYS = 30
const MAX_DAYS = 3_650

/** Retention of personal data. The README documents these variables. */
export const retentionFields = {
  /** Null: unlimited. */
  RETENTION_DAYS: z
    .string()
    .refine(isRetention, `must be a number of days from ${MIN_DAYS} to ${MAX_DAYS}, or off`)
    .transform((days) => (days === "off" ? null : Number(days)))
    .default(null),
}

function isRetention(days: string): boolean {
  return days === "off" || (/^\d+$/.test(days) && Number(days) >= MIN_DAYS && Number(days) <= MAX_DAYS)
}
