import type { Services } from "~/services.server"

/** A customer who has proven himself chooses a password; nobody else can. True when it has been set. */
export async function choosePassword(
  { billing }: Services,
  customer: { id: string } | null,
  password: string,
): Promise<boolean> {
  if (!customer) return false
  await billing.setPassword(customer.id, password)
  return true
}
