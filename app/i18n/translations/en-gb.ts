import type { Translation } from "../translation"
import { enEn } from "./en-en"

/** UK English: only the differences from English. */
export const enGb: Translation = {
  ...enEn,
  checkout: {
    ...enEn.checkout,
    plan: {
      ...enEn.checkout.plan,
      once: "One-off payment",
    },
  },
}
