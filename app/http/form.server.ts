/** The fields of a POST. A body that is no form has no fields, which is answered like any form left empty. */
export async function formOf(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    return new FormData()
  }
}
