import { textIn } from "~/http/form.server"

/** What every form of an action says. */
export function actionFormIn(form: FormData) {
  return { reason: textIn(form, "reason").trim(), formKey: textIn(form, "key"), proof: proofIn(form) }
}

/** What every form says that is refused if its subject has changed since the page was opened. `seen`: how it was then. */
export function changeFormIn(form: FormData) {
  return { ...actionFormIn(form), seen: textIn(form, "seen") }
}

/** Password and code of a form that asks for them. */
export function proofIn(form: FormData): { readonly password: string; readonly code: string } {
  return { password: textIn(form, "password"), code: textIn(form, "code") }
}
