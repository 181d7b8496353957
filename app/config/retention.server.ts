import { z } from "zod"

/** As long as a browser remembers its order, and far longer than late money is waited for. */
const LEAST_DAYS = 30
const MOST_DAYS = 3_650

/** How long what is about people is kept. README has the same table in words. */
export const keepingFields = {
  /** Null: for ever. */
  RETENTION_DAYS: z
    .string()
    .refine(isRetention, `must be a number of days from ${LEAST_DAYS} to ${MOST_DAYS}, or off`)
    .transform((days) => (days === "off" ? null : Number(days)))
    .default(null),
}

function isRetention(days: string): boolean {
  return days === "off" || (/^\d+$/.test(days) && Number(days) >= LEAST_DAYS && Number(days) <= MOST_DAYS)
}
