import { z } from "zod"
import { codeIn } from "../customers/sign-in-request"
import { deviceAddressIn } from "../services/device-address"
import { codeRule, currentPasswordRule, newPasswordRule } from "./field-rules"
import { EmailField } from "./field-schemas"
import { ruledText } from "./ruled-text"
import { deviceAddressRule, notesRule, storedNotes } from "./service-rules"

/** Buttons of the service page. */
export const ServiceIntent = z.enum([
  "device",
  "notes",
  "restart",
  "recreate",
  "password",
  "sign-in-again",
  "upsell",
  "upsell-update",
  "renew",
  "renew-update",
  "lower-price",
  "decline",
  "undecline",
  "balance-on",
  "balance-off",
  "topup",
  "plan-change",
  "plan-upgrade",
  "plan-next",
  "plan-keep",
] as const)

/** A MAC address in any of the usual notations, parsed to its stored form. */
export const DeviceForm = z.object({
  deviceAddress: ruledText(deviceAddressRule).transform((typed) => deviceAddressIn(typed) ?? ""),
})

/** A customer's notes; may be empty. */
export const NotesForm = z.object({ notes: ruledText(notesRule).transform(storedNotes) })

/** A new password, not trimmed. */
export const PasswordForm = z.object({ password: ruledText(newPasswordRule) })

/** Sign-in form. Its messages only name missing fields. */
export const SignInForm = z.object({
  email: EmailField,
  password: ruledText(currentPasswordRule),
})

/** Form that asks for a sign-in message. */
export const SignInMailForm = SignInForm.pick({ email: true })

/** Form for the code of a sign-in message. */
export const SignInCodeForm = z.object({
  code: ruledText(codeRule).transform((typed) => codeIn(typed) ?? ""),
})
