import type { ServiceDetails } from "~/billing/services/service-admin"
import { ofService } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { amount, jsonAmount, jsonTime, time } from "~/cli/format"
import { cycles } from "~/domain/catalogue/billing-cycle"
import { pricedForCustomer } from "~/flows/checkout/priced-for.server"
import { planChoices } from "~/flows/services/change-plan.server"
import { termPolicyOf } from "~/wiring/terms.server"
import { openVatNumbers } from "~/wiring/vat-numbers.server"

export const choosePlan: Command = {
  about: "choose a cheaper plan or a shorter cycle that follows when the paid time of a service ends",
  args: ["NUMBER"],
  options: {
    product: "the plan that follows",
    cycle: `its billing cycle: ${cycles.join(", ")}`,
    reason: "why, for the audit log",
  },
  required: ["product", "cycle", "reason"],
  audit: ofService("choose-plan"),
  async run(call) {
    const { billing, now, options } = call
    const { service } = await serviceNamed(call)
    const target = await targetOf(call, service)
    const { productId, name, cycle, price } = target
    if (!(await billing.billing.chooseNextPlan(service.id, { productId, name, cycle, price }, now)))
      throw new CommandError(`Cannot change service ${service.id}: terms of another plan are paid already.`)
    return {
      text: `From ${time(target.from)} service ${service.id} has ${name}, ${cycle}, at ${amount(price)}.`,
      data: {
        number: service.id,
        product: productId,
        cycle,
        price: jsonAmount(price),
        from: jsonTime(target.from),
      },
      after: { product: options.product, cycle },
    }
  },
}

export const keepPlan: Command = {
  about: "take the plan back that follows when the paid time of a service ends",
  args: ["NUMBER"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofService("keep-plan"),
  async run(call) {
    const { id } = (await serviceNamed(call)).service
    if (!(await call.billing.billing.keepPlan(id, call.now)))
      throw new CommandError(`Service ${id} has no other plan ahead, or terms of it are paid already.`)
    return { text: `Service ${id} keeps its plan.`, data: { number: id } }
  },
}

async function serviceNamed({ billing, externalBilling, args }: Call): Promise<ServiceDetails> {
  if (externalBilling)
    throw new CommandError("Change the plan in the external billing system: it has the services.")
  const [number = ""] = args
  const shown = await billing.operator.serviceDetails(number)
  if (!shown) throw new CommandError(`Service or order "${number}" not found.`)
  return shown
}

/** A change that begins at once is paid, so the customer orders it. */
async function targetOf({ billing, config, options, now, log }: Call, service: ServiceDetails["service"]) {
  const { product: productId = "", cycle: named = "" } = options
  const cycle = cycles.find((it) => it === named)
  if (!cycle) throw new UsageError(`Unknown cycle "${named}". Valid: ${cycles.join(", ")}.`)
  const { TIME_ZONE: timeZone } = config
  const shop = { timeZone, terms: termPolicyOf(config) ?? null, tax: billing.tax?.rules() ?? null }
  const vatNumbers = openVatNumbers(config, { sandbox: null, now: () => now, log, taxRules: () => shop.tax })
  const ports = { billing: billing.billing, shop, now: () => now, vatNumbers }
  const { billing: priceList } = pricedForCustomer(ports, service.customerId)
  const choices = await planChoices(ports, priceList, { service, at: now })
  const found = choices?.changes.find((it) => it.productId === productId && it.cycle === cycle)
  if (found?.when === "at-end") return found
  throw new CommandError(
    found
      ? `${found.name}, ${cycle}, would begin at once and is paid for: the customer orders it on the service page.`
      : `Service ${service.id} cannot be changed to product ${productId}, ${cycle}.`,
  )
}
