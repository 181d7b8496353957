import { z } from "zod"
import { PASSWORD_LENGTH } from "../customer"
import { deviceAddressIn } from "../device-address"
import { NOTES_LENGTH } from "../service"
import { codeIn } from "../sign-in-request"
import { codeRule, currentPasswordRule, emailRule } from "./field-rules"
import { ruledText } from "./ruled-text"

/** Buttons of the service page. */
export const ServiceIntent = z.enum([
  "device",
  "notes",
  "restart",
  "recreate",
  "password",
  "upsell",
  "upsell-update",
] as const)

/** Longer than any notation with spaces copied along. */
const PASTED = 100

/** A MAC address in any of the usual notations, parsed to its stored form. */
export const DeviceForm = z.object({
  deviceAddress: z
    .string("device.invalid")
    .max(PASTED)
    .transform((typed) => deviceAddressIn(typed))
    .pipe(z.string("device.invalid")),
})

/** Browsers count a line break as one character and send two. PostgreSQL text cannot contain NUL. */
const asCounted = (typed = "") => typed.replaceAll("\r\n", "\n").replaceAll("\0", "").trim()

/** A customer's notes; may be empty. */
export const NotesForm = z.object({
  notes: z
    .string()
    .optional()
    .transform((typed) => asCounted(typed))
    .refine(({ length }) => length <= NOTES_LENGTH, "success.notes.tooLong"),
})

/** A new password, not trimmed. */
export const PasswordForm = z.object({
  password: z
    .string("password.tooShort")
    .min(PASSWORD_LENGTH.min)
    .max(PASSWORD_LENGTH.max, "password.tooLong"),
})

/** Sign-in form. Its messages only name missing fields. */
export const SignInForm = z.object({
  email: ruledText(emailRule).trim(),
  password: ruledText(currentPasswordRule),
})

/** Form that asks for a sign-in message. */
export const SignInMailForm = SignInForm.pick({ email: true })

/** Form for the code of a sign-in message. */
export const SignInCodeForm = z.object({
  code: ruledText(codeRule).transform((typed) => codeIn(typed) ?? ""),
})
