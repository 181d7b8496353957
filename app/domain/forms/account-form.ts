import { z } from "zod"
import { codeIn } from "../customers/sign-in-request"
import { emailCodeRule } from "./field-rules"
import { EmailField } from "./field-schemas"
import { ruledText } from "./ruled-text"

/** Buttons of the page of an account. */
export const AccountIntent = z.enum([
  "end-sessions",
  "change-email",
  "confirm-email",
  "sign-in-again",
] as const)

/** A customer's new e-mail. Who has a password types it too. */
export const EmailChangeForm = z.object({
  email: EmailField,
  password: ruledText(() => null),
})

/** The code that went to it. */
export const EmailCodeForm = z.object({
  code: ruledText(emailCodeRule).transform((typed) => codeIn(typed) ?? ""),
})
