import { stripNul } from "./strip-nul"

/** The largest form of ours has a dozen. Sorting out the fields of a form takes the square of their number. */
export const MAX_FORM_FIELDS = 200

/** The fields of a POST. A body that is no form of ours has no fields, which is answered like any form left empty. */
export async function formOf(request: Request): Promise<FormData> {
  try {
    const form = await request.formData()
    return [...form.keys()].length > MAX_FORM_FIELDS ? new FormData() : kept(form)
  } catch {
    return new FormData()
  }
}

function kept(form: FormData): FormData {
  const fields = new FormData()
  for (const [name, value] of form) fields.append(name, typeof value === "string" ? stripNul(value) : value)
  return fields
}

/** The JSON of a POST, with its text as a form's; null when it is none. */
export async function jsonOf(request: Request): Promise<unknown> {
  try {
    return JSON.parse(await request.text(), (_, value) =>
      typeof value === "string" ? stripNul(value) : value,
    )
  } catch {
    return null
  }
}
