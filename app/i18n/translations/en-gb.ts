import type { Translation } from "../translation"
import { enEn } from "./en-en"

/** UK English: only the differences from English. */
export const enGb: Translation = {
  ...enEn,
  checkout: {
    ...enEn.checkout,
    lead: "Ready in about two minutes. No account needed, just your email.",
    plan: {
      ...enEn.checkout.plan,
      once: "One-off payment",
    },
    email: {
      ...enEn.checkout.email,
      heading: "Your email",
      label: "Email",
    },
  },
}
