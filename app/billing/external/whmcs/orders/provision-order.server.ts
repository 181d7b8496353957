import { BillingError } from "~/billing/billing"
import type { PaidThere, TheirService } from "~/billing/external/external-services"
import { Done } from "../client/api.server"
import { unlessSaid, WhmcsRefusal } from "../client/errors"
import type { Whmcs } from "../context.server"
import { settle } from "../payments/payments.server"
import { NO_MODULE } from "../services/module-commands.server"
import { nameAccess } from "../services/service-credentials.server"
import { fieldNamed, type ServiceOfClient } from "../services/service-schema"
import { asTheirs, serviceAt } from "../services/services.server"
import { ownOrder } from "./order-status.server"
import { setUpUpgrade } from "./provision-upgrade.server"

const NOT_PENDING = /not pending/i

/**
 * Brings a paid order to a working service, from wherever it stands: every step looks first whether it has been done.
 * WHMCS may set the line up by itself as soon as it is paid, so the line's access is named before that.
 */
export async function setUp(whmcs: Whmcs, paid: PaidThere): Promise<TheirService> {
  const isPending = await reopenOrder(whmcs, paid)
  if (paid.kind === "upsell") {
    await settle(whmcs, paid)
    return setUpUpgrade(whmcs, paid)
  }
  const before = await ownService(whmcs, paid)
  if (!isWorking(whmcs, paid, before)) await prepare(whmcs, paid, before)
  await settle(whmcs, paid)
  return asTheirs(whmcs, await working(whmcs, paid, isPending))
}

/** Whether somebody has to accept the order. What staff hold as fraud stays so; what was cancelled was paid after all. */
async function reopenOrder(whmcs: Whmcs, paid: PaidThere): Promise<boolean> {
  if (paid.orderId === null) return false
  const { id: orderid, status } = await ownOrder(whmcs, paid)
  if (status === "fraud")
    throw new BillingError("refused", `Order ${orderid} of WHMCS is held as fraud there`)
  if (status === "cancelled") await whmcs.api.tell("PendingOrder", { orderid }, Done)
  return status !== "active"
}

/** A line made anew must not be the one of before. */
function isWorking({ settings }: Whmcs, { anew, credentials }: PaidThere, service: ServiceOfClient): boolean {
  if (!anew || !isActive(service)) return isActive(service)
  const field = fieldNamed(service.customfields, settings.fields.username)
  return service.username === credentials.username || field?.value === credentials.username
}

function isActive({ status }: ServiceOfClient): boolean {
  return status === "active" || status === "completed"
}

/** After it a line that works is the one that is wanted, whatever name the panel gives it. */
async function prepare(whmcs: Whmcs, paid: PaidThere, service: ServiceOfClient): Promise<void> {
  const { id: serviceid, status } = service
  if (status === "suspended" || (status === "terminated" && !paid.anew)) {
    throw new BillingError("refused", `Service ${serviceid} of WHMCS is ${status} there`)
  }
  if (isActive(service)) await whmcs.api.tell("ModuleTerminate", { serviceid }, Done)
  await nameAccess(whmcs, service, paid.credentials)
}

async function working(whmcs: Whmcs, paid: PaidThere, isPending: boolean): Promise<ServiceOfClient> {
  const steps = [
    ...(isPending ? [(works: boolean) => accept(whmcs, paid, works)] : []),
    async (works: boolean) => (works ? null : create(whmcs, paid)),
  ]
  let service = await ownService(whmcs, paid)
  let refusal: WhmcsRefusal | null = null
  for (const step of steps) {
    refusal = (await step(isActive(service))) ?? refusal
    service = await ownService(whmcs, paid)
  }
  if (isActive(service)) return service
  const why = refusal?.message ?? `it is ${service.status} there`
  throw new BillingError("unavailable", `WHMCS has not set service ${service.id} up: ${why}`)
}

/** What the panel says against it is WHMCS's answer here; somebody else may have accepted the order meanwhile. */
async function accept(whmcs: Whmcs, paid: PaidThere, works: boolean): Promise<WhmcsRefusal | null> {
  const { username: serviceusername, password: servicepassword } = paid.credentials
  const access = works ? {} : { serviceusername, servicepassword }
  const params = { orderid: paid.orderId, ...access, autosetup: !works, sendemail: false }
  return refusalOf(unlessSaid(NOT_PENDING, whmcs.api.tell("AcceptOrder", params, Done)))
}

/** A product without a module is set up by hand, or by nobody: paid and accepted, it works. */
async function create(whmcs: Whmcs, { serviceId: serviceid }: PaidThere): Promise<WhmcsRefusal | null> {
  const refusal = await refusalOf(whmcs.api.tell("ModuleCreate", { serviceid }, Done))
  if (!refusal?.says(NO_MODULE)) return refusal
  return refusalOf(whmcs.api.tell("UpdateClientProduct", { serviceid, status: "Active" }, Done))
}

async function refusalOf(act: Promise<unknown>): Promise<WhmcsRefusal | null> {
  try {
    await act
    return null
  } catch (error) {
    if (error instanceof WhmcsRefusal) return error
    throw error
  }
}

async function ownService(whmcs: Whmcs, { customerId, serviceId }: PaidThere): Promise<ServiceOfClient> {
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (service) return service
  throw new BillingError("refused", `Service ${serviceId} of WHMCS is not there, or another client's`)
}
