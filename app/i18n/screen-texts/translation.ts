import type { SameShape } from "../translations/translation"
import type { enEn } from "./en-en"

/** Shape of the texts of every language: a missing or extra key does not compile. */
export type ScreenTranslation = SameShape<typeof enEn>
