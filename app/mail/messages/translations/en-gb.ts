import { enEn } from "./en-en"
import type { MailTranslation } from "./translation"

/** UK English: only the differences from English. Dates and amounts differ by themselves. */
export const enGb: MailTranslation = enEn
