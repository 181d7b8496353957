import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { ofCustomer } from "~/cli/audited.server"
import { type Command, CommandError, UsageError } from "~/cli/command"
import { customerNamed } from "~/cli/find-customer.server"
import { jsonTime } from "~/cli/format"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import type { Customer } from "~/domain/customers/customer"
import { signWith } from "~/security/hmac.server"
import { signedLink } from "~/security/signed-link.server"
import { secretsOf } from "~/wiring/generated-secrets.server"

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }
const MAX_LENGTH = 90 * DAY

/** A link authenticates any client that follows it, so it always expires. */
export const signInLink: Command = {
  about: "create a signed sign-in link",
  args: ["EMAIL"],
  options: {
    "service-id": "the link opens this service",
    "expires-in": "30m, 12h, 7d …, at most 90d; 7d without it",
  },
  audit: ofCustomer("create-sign-in-link"),
  async run({ billing, config, args: [email = ""], options, now }) {
    const expiresAt = now + durationIn(options["expires-in"] ?? "7d")
    const customer = await customerNamed(billing, email)
    const serviceId = options["service-id"] ?? null
    if (serviceId !== null) await checkServiceExists(billing, customer, serviceId)
    const link = signedLink(signWith(secretsOf(config), "links"), {
      publicUrl: config.PUBLIC_URL,
      email: customer.email,
      expiresAt,
      serviceId,
    })
    return { text: link, data: { link, expiresAt: jsonTime(expiresAt) } }
  },
}

/**
 * Parses a duration such as `30m`, `12h` or `7d` to milliseconds. Throws `UsageError` if invalid or above 90 days.
 */
function durationIn(value: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(value) ?? []
  const duration = Number(count) * (UNITS[unit] ?? 0)
  if (duration > 0 && duration <= MAX_LENGTH) return duration
  throw new UsageError(`Invalid --expires-in "${value}": must be like 30m, 12h or 7d, at most 90d.`)
}

async function checkServiceExists(
  { billing }: EmbeddedBilling,
  customer: Customer,
  serviceId: string,
): Promise<void> {
  const service = await billing.service(serviceId)
  if (service?.customerId !== customer.id)
    throw new CommandError(`Service "${serviceId}" of this customer not found.`)
}
