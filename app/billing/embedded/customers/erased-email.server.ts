import { sql } from "kysely"

/** Replaces an erased e-mail; not a valid e-mail, so no customer can have it. */
export const ERASED = "erased"

/** Columns of a customer whose e-mail is erased. */
export const erasedEmail = { email: ERASED, email_key: sql<string>`cast(${`${ERASED} `} as text) || id` }
