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
    email: {
      ...enEn.checkout.email,
      heading: "Your email",
      label: "Email",
    },
  },
  review: {
    ...enEn.review,
    "email-rejected":
      "No order can be placed with this email address. Nothing has been charged. Please change the order and use another address.",
  },
  resellers: {
    ...enEn.resellers,
    wrongPassword: "This email and password do not fit together. Please check both.",
  },
}
