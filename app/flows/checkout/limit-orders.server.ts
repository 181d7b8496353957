import type { Services } from "~/context/services.server"
import { emailKey } from "~/domain/email"
import type { Allowance, Trier } from "~/security/rate-limits.server"

/** Whether one more order may be written down for whoever asks. */
export async function tryOrder(
  { rateLimits, log }: Services,
  { email, ...who }: Trier & { email: string | null },
): Promise<Allowance> {
  const allowed = await rateLimits.order({ ...who, email: email && emailKey(email) })
  if (!allowed.ok) log.warn({ address: who.address }, "too many orders")
  return allowed
}
