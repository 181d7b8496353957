import { enEn } from "./en-en"
import type { Translation } from "./translation"

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
