import type { Logger } from "pino"
import type { Config } from "~/config/environment.server"
import { type Instant, SECOND } from "~/domain/calendar"
import { type TaxRules, unionCountries } from "~/domain/tax/tax"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import type { Sandbox } from "~/sandbox/sandbox.server"
import { checkedNumbers, uncheckedNumbers } from "~/vat-numbers/checked-numbers.server"
import { parseVatNumber } from "~/vat-numbers/parse-vat-number.server"
import type { VatNumbers } from "~/vat-numbers/vat-numbers"
import { viesCheck } from "~/vat-numbers/vies/vies.server"

/** A buyer waits for the answer. */
const MAX_WAIT = 4 * SECOND

type Surroundings = {
  readonly sandbox: Pick<Sandbox, "origin"> | null
  readonly now: () => Instant
  readonly log: Logger
  /** The rules of today: the operator's console may have changed them since the start. */
  readonly taxRules: () => Pick<TaxRules, "registrations"> | null
}

/** Opens the check of numbers for tax: by the service at `VIES_URL` or the sandbox's, or else of their form alone. */
export function openVatNumbers(config: Config, { sandbox, now, log, taxRules }: Surroundings): VatNumbers {
  const url = config.VIES_URL ?? (sandbox ? `${sandbox.origin}/vies` : null)
  if (url === null) return uncheckedNumbers({ now })
  const timeoutMs = Math.min(config.UPSTREAM_TIMEOUT_MS, MAX_WAIT)
  const ask = viesCheck({ url, timeoutMs, requester: () => ownNumber(taxRules()) })
  return checkedNumbers(ask, { now, log })
}

/** The seller's number in the Union; null without one. */
async function ownNumber(rules: Pick<TaxRules, "registrations"> | null): Promise<string | null> {
  const registrations = rules?.registrations ?? []
  const numbers = await Promise.all(registrations.map(({ number }) => parseVatNumber(number)))
  return numbers.find((it) => it !== null && unionCountries.includes(countryOfTaxNumber(it))) ?? null
}
