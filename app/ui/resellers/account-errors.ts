import type { FieldErrors } from "../form/form-errors"
import { validateEmail } from "../form/use-field-check"
import { fieldOf } from "../form/use-form-guard"

/** Errors of the account fields of a reseller's form. Hidden fields are not validated. */
export function accountErrors(form: HTMLFormElement): FieldErrors {
  const email = fieldOf(form, "email")
  if (!email) return {}
  const value = (name: string) => fieldOf(form, name)?.value ?? ""
  const existing = new FormData(form).get("existing") === "yes"
  const passwordless = existing && value("password") === ""
  const different = !existing && value("newPassword") !== value("confirmPassword")
  return {
    ...validateEmail(email.value),
    ...(passwordless && { password: ["signIn.passwordRequired"] }),
    ...(different && { confirmPassword: ["resellers.notSame"] }),
  }
}
