import { cycleNamed } from "~/domain/catalogue/billing-cycle"
import { optionsPrice, rechosen } from "./config-options"
import { type Action, clientBy, type Installation, itemOf, priceIn, SUCCESS, serviceBy } from "./installation"
import { fieldsOf } from "./order-lines"
import { arrayOf, flag, mapOf, minorOf, text } from "./params"
import { type Service, serviceStatuses } from "./state"

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/

/** How each parameter of UpdateClientProduct changes the service; texts only, in this order. */
const changes: Record<string, (service: Service, value: string) => void> = {
  notes: (service, value) => Object.assign(service, { notes: value }),
  serviceusername: (service, value) => Object.assign(service, { username: value }),
  servicepassword: (service, value) => Object.assign(service, { password: value }),
  recurringamount: (service, value) => Object.assign(service, { recurring: minorOf(value) }),
  firstpaymentamount: (service, value) => Object.assign(service, { firstPayment: minorOf(value) }),
  paymentmethod: (service, value) => Object.assign(service, { gateway: value }),
  promoid: (service, value) => Object.assign(service, { promotionId: Number(value) }),
  suspendreason: (service, value) => Object.assign(service, { suspensionReason: value }),
  serverid: (service, value) => Object.assign(service, { hasServer: value !== "0" }),
  nextduedate: (service, value) => {
    if (DAY_FORM.test(value)) service.nextDue = value
  },
  status: (service, value) => {
    service.status = serviceStatuses.find((it) => it === value) ?? service.status
  },
  billingcycle: (service, value) => {
    const isOnce = /^one[- ]time$/i.test(value)
    service.cycle = isOnce ? "onetime" : (cycleNamed(value) ?? service.cycle)
  },
}

const unsetting: Record<string, (service: Service) => void> = {
  notes: (service) => Object.assign(service, { notes: "" }),
  serviceusername: (service) => Object.assign(service, { username: "" }),
  servicepassword: (service) => Object.assign(service, { password: "" }),
  suspendreason: (service) => Object.assign(service, { suspensionReason: "" }),
}

/** Changes stored values without notifying the panel. An array instead of a text changes nothing. */
export const updateClientProduct: Action = (installation, params) => {
  const service = serviceBy(installation, text(params, "serviceid"))
  const pid = text(params, "pid")
  if (installation.items.some(({ id }) => id === pid)) service.pid = pid
  const item = itemOf(installation, service.pid)
  Object.assign(service.fields, fieldsOf(item, mapOf(text(params, "customfields"))))
  Object.assign(service.options, rechosen(item, service.options, mapOf(text(params, "configoptions"))))
  for (const [name, change] of Object.entries(changes)) {
    const value = params.get(name)
    if (typeof value === "string") change(service, value)
  }
  for (const name of arrayOf(params, "unset").values()) unsetting[String(name)]?.(service)
  if (flag(params, "autorecalc")) recalculate(installation, service)
  return { ...SUCCESS, serviceid: String(service.id) }
}

function recalculate(installation: Installation, service: Service): void {
  if (service.cycle === "onetime" || service.cycle === "free") return
  const { currency } = clientBy(installation, String(service.clientId))
  const item = itemOf(installation, service.pid)
  const base = priceIn(item.pricing, currency, service.cycle) ?? 0
  service.recurring = base + optionsPrice(item, service.options, { currency, cycle: service.cycle })
}
