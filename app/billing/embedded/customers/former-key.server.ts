import { normalizeEmail } from "~/domain/customers/email"

const END = " no more"

/**
 * Key of a client whose e-mail has become another's: by the e-mail nobody finds the client any more, but for export and erasure.
 * `id` makes it unique: the client's own, or with external billing that of who has the e-mail now.
 */
export function formerKey(email: string, id: string): string {
  return `${beginningOfFormerKey(email)}${id}${END}`
}

/** What the former keys of an e-mail begin with. No e-mail has a space, so it is the beginning of no other key. */
export function beginningOfFormerKey(email: string): string {
  return `${normalizeEmail(email)} of `
}

/** Whether a client's e-mail has become another's. */
export function isFormerKey(emailKey: string): boolean {
  return emailKey.endsWith(END)
}
