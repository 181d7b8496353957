import type { SameShape } from "~/i18n/translations/translation"
import type { enEn } from "./en-en"

/** Shape of the texts of every language: a missing or extra key does not compile. */
export type MailTranslation = SameShape<typeof enEn>
