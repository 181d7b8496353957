/** The text of a field; empty if it is missing or a file. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

/** What every form with a reason says, besides its own fields. `seen`: how its subject was when the page was opened. */
export function reasonedFormIn(form: FormData) {
  return {
    reason: textIn(form, "reason").trim(),
    formKey: textIn(form, "key"),
    seen: textIn(form, "seen"),
    proof: proofIn(form),
  }
}

/** Password and code of a form that asks for them. */
export function proofIn(form: FormData): { readonly password: string; readonly code: string } {
  return { password: textIn(form, "password"), code: textIn(form, "code") }
}
