import type { SentKey } from "~/flows/admin/form-key.server"
import { textIn } from "~/http/form.server"

/** What every form of an action says. */
export function actionFormIn(form: FormData) {
  return { reason: textIn(form, "reason").trim(), formKey: sentKeyIn(form), proof: proofIn(form) }
}

/** What every form says that is refused if its subject has changed since the page was opened. `seen`: how it was then. */
export function changeFormIn(form: FormData) {
  return { ...actionFormIn(form), seen: textIn(form, "seen") }
}

/** Password and code of a form that asks for them. */
export function proofIn(form: FormData): { readonly password: string; readonly code: string } {
  return { password: textIn(form, "password"), code: textIn(form, "code") }
}

/** Fields that do not say what is to be done, and passwords. */
const notTyped: readonly string[] = ["key", "seen", "password", "code", "newPassword", "confirmPassword"]

/** What was typed in a form, and nothing of passwords. A file is not typed. */
export function typedIn(form: FormData): readonly string[] {
  const unseen = [...notTyped, "action", "intent", "draft"]
  return [...form].flatMap(([name, value]) =>
    typeof value === "string" && value.trim() !== "" && !unseen.includes(name) ? [value.trim()] : [],
  )
}

/** The key of a form, and what was typed in it. Of a file only its name and size. */
export function sentKeyIn(form: FormData): SentKey {
  const typed = [...form]
    .filter(([name]) => !notTyped.includes(name))
    .map(([name, value]) => [name, typeof value === "string" ? value : `${value.name} ${value.size}`])
  return { key: textIn(form, "key"), typed: JSON.stringify(typed) }
}
