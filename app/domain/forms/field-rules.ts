import { PASSWORD_LENGTH } from "../customers/customer"
import { isEmail } from "../customers/email"
import { codeIn } from "../customers/sign-in-request"

/**
 * What is wrong with a typed text: a translation key, or null. The schemas call these rules on the server, and the forms
 * call them in the browser, which does not load zod.
 */
export type FieldRule = (typed: string) => string | null

export const emailRule: FieldRule = (typed) => (isEmail(typed.trim()) ? null : "checkout.email.invalid")

/** The error of an e-mail that the server knows to be unreachable. The buyer may keep it. */
export const UNREACHABLE_EMAIL = "checkout.email.unreachable"

/** The password of an existing account: its message only says that it is missing. */
export const currentPasswordRule: FieldRule = ({ length }) =>
  length > 0 && length <= PASSWORD_LENGTH.max ? null : "signIn.passwordRequired"

/** The code of a sign-in message. */
export const codeRule: FieldRule = (typed) => (codeIn(typed) === null ? "signIn.code.invalid" : null)

/** The code of a change of e-mail. The page brings the text, which is in no language file of the browser. */
export const emailCodeRule: FieldRule = (typed) =>
  codeIn(typed) === null ? "account.email.codeInvalid" : null

export const newPasswordRule: FieldRule = ({ length }) => {
  if (length < PASSWORD_LENGTH.min) return "password.tooShort"
  return length > PASSWORD_LENGTH.max ? "password.tooLong" : null
}

/** The repetition of a new password; a missing password has a message of its own. */
export function confirmPasswordRule(newPassword: string): FieldRule {
  return (typed) =>
    typed !== "" && (newPassword === "" || typed === newPassword) ? null : "resellers.notSame"
}
