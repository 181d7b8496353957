import { normalizeEmail } from "~/domain/email"

export type NameSearch = {
  readonly limit: number
  /** The beginning of an e-mail finds nothing: letter by letter it would spell out what is masked. */
  readonly wholeEmails?: boolean
}

type Sought = Pick<NameSearch, "wholeEmails"> & { readonly kind: string; readonly text: string }

/** The results of a search by a name, or by its beginning, that may be shown: with `wholeEmails` those of the whole e-mail alone. */
export function shownResults<Found extends { readonly email: string }>(
  found: readonly Found[],
  { kind, text, wholeEmails = false }: Sought,
): readonly Found[] {
  if (kind !== "email" || !wholeEmails) return found
  const wanted = normalizeEmail(text)
  return found.filter(({ email }) => normalizeEmail(email) === wanted)
}
