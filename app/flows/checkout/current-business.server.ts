import type { Services } from "~/context/services.server"
import { DAY, type Instant, MINUTE } from "~/domain/calendar"
import type { Business, NumberCheck } from "~/domain/customers/business"

/** How long an answer about a number counts before a sale asks again. */
const KEPT_FOR = { valid: 1 * DAY, invalid: 1 * MINUTE, unanswered: 1 * MINUTE, unchecked: 1 * DAY } as const

/** A business with an answer about its number that is not too old for a sale. */
export async function currentBusiness(
  { vatNumbers, now }: Pick<Services, "vatNumbers" | "now">,
  business: Business,
): Promise<Business> {
  const { taxNumber, check } = business
  return isCurrent(check, now()) ? business : { ...business, check: await vatNumbers.check(taxNumber) }
}

function isCurrent({ result, at }: NumberCheck, now: Instant): boolean {
  return now - at < KEPT_FOR[result]
}
