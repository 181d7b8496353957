import { stripNul } from "./strip-nul"

/** The largest form has a dozen fields. Parsing a form takes quadratic time in their number. */
export const MAX_FORM_FIELDS = 200

/** The form fields of a POST. An invalid body counts as an empty form. */
export async function formOf(request: Request): Promise<FormData> {
  try {
    const form = await request.formData()
    return [...form.keys()].length > MAX_FORM_FIELDS ? new FormData() : withoutNul(form)
  } catch {
    return new FormData()
  }
}

/** The text of a field; empty if it is missing or a file. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

function withoutNul(form: FormData): FormData {
  const fields = new FormData()
  for (const [name, value] of form) fields.append(name, typeof value === "string" ? stripNul(value) : value)
  return fields
}

/** The JSON of a POST without NUL characters; null if it is invalid. */
export async function jsonOf(request: Request): Promise<unknown> {
  try {
    return JSON.parse(await request.text(), (_, value) =>
      typeof value === "string" ? stripNul(value) : value,
    )
  } catch {
    return null
  }
}
