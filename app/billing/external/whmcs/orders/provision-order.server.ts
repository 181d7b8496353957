import { BillingError } from "~/billing/billing"
import type { ExternalService, PaidExternalOrder } from "~/billing/external/external-services"
import { AnyResponse } from "../client/api.server"
import { nullOnError, WhmcsError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { settle } from "../payments/payments.server"
import { NO_MODULE } from "../services/module-commands.server"
import { writeServiceCredentials } from "../services/service-credentials.server"
import { fieldNamed, type WhmcsService } from "../services/service-schema"
import { serviceAt, toExternalService } from "../services/services.server"
import { ownOrder } from "./order-status.server"
import { setUpUpgrade } from "./provision-upgrade.server"

const NOT_PENDING = /not pending/i

/**
 * Brings a paid order to a working service, from wherever it stands: every step looks first whether it has been done.
 * WHMCS may set the line up by itself as soon as it is paid, so the line's access is named before that.
 */
export async function provision(whmcs: Whmcs, paid: PaidExternalOrder): Promise<ExternalService> {
  const isPending = await reopenOrder(whmcs, paid)
  if (paid.kind === "upsell") {
    await settle(whmcs, paid)
    return setUpUpgrade(whmcs, paid)
  }
  const before = await ownService(whmcs, paid)
  if (!isWorking(whmcs, paid, before)) await prepare(whmcs, paid, before)
  await settle(whmcs, paid)
  return toExternalService(whmcs, await working(whmcs, paid, isPending))
}

/** Whether somebody has to accept the order. What staff hold as fraud stays so; what was cancelled was paid after all. */
async function reopenOrder(whmcs: Whmcs, paid: PaidExternalOrder): Promise<boolean> {
  if (paid.orderId === null) return false
  const { id: orderid, status } = await ownOrder(whmcs, paid)
  if (status === "fraud")
    throw new BillingError("refused", `Order ${orderid} of WHMCS is held as fraud there`)
  if (status === "cancelled") await whmcs.api.write("PendingOrder", { orderid }, AnyResponse)
  return status !== "active"
}

/** A line made anew must not be the one of before. */
function isWorking(
  { settings }: Whmcs,
  { anew, credentials }: PaidExternalOrder,
  service: WhmcsService,
): boolean {
  if (!anew || !isActive(service)) return isActive(service)
  const field = fieldNamed(service.customfields, settings.fields.username)
  return service.username === credentials.username || field?.value === credentials.username
}

function isActive({ status }: WhmcsService): boolean {
  return status === "active" || status === "completed"
}

/** After it a line that works is the one that is wanted, whatever name the panel gives it. */
async function prepare(whmcs: Whmcs, paid: PaidExternalOrder, service: WhmcsService): Promise<void> {
  const { id: serviceid, status } = service
  if (status === "suspended" || (status === "terminated" && !paid.anew)) {
    throw new BillingError("refused", `Service ${serviceid} of WHMCS is ${status} there`)
  }
  if (isActive(service)) await whmcs.api.write("ModuleTerminate", { serviceid }, AnyResponse)
  await writeServiceCredentials(whmcs, service, paid.credentials)
}

async function working(whmcs: Whmcs, paid: PaidExternalOrder, isPending: boolean): Promise<WhmcsService> {
  const steps = [
    ...(isPending ? [(works: boolean) => accept(whmcs, paid, works)] : []),
    async (works: boolean) => (works ? null : create(whmcs, paid)),
  ]
  let service = await ownService(whmcs, paid)
  let rejection: WhmcsError | null = null
  for (const step of steps) {
    rejection = (await step(isActive(service))) ?? rejection
    service = await ownService(whmcs, paid)
  }
  if (isActive(service)) return service
  const why = rejection?.message ?? `it is ${service.status} there`
  throw new BillingError("unavailable", `WHMCS has not set service ${service.id} up: ${why}`)
}

/** What the panel says against it is WHMCS's answer here; somebody else may have accepted the order meanwhile. */
async function accept(whmcs: Whmcs, paid: PaidExternalOrder, works: boolean): Promise<WhmcsError | null> {
  const { username: serviceusername, password: servicepassword } = paid.credentials
  const access = works ? {} : { serviceusername, servicepassword }
  const params = { orderid: paid.orderId, ...access, autosetup: !works, sendemail: false }
  return rejectionOf(nullOnError(NOT_PENDING, whmcs.api.write("AcceptOrder", params, AnyResponse)))
}

/** A product without a module is set up by hand, or by nobody: paid and accepted, it works. */
async function create(whmcs: Whmcs, { serviceId: serviceid }: PaidExternalOrder): Promise<WhmcsError | null> {
  const rejection = await rejectionOf(whmcs.api.write("ModuleCreate", { serviceid }, AnyResponse))
  if (!rejection?.says(NO_MODULE)) return rejection
  return rejectionOf(whmcs.api.write("UpdateClientProduct", { serviceid, status: "Active" }, AnyResponse))
}

async function rejectionOf(act: Promise<unknown>): Promise<WhmcsError | null> {
  try {
    await act
    return null
  } catch (error) {
    if (error instanceof WhmcsError) return error
    throw error
  }
}

async function ownService(whmcs: Whmcs, { customerId, serviceId }: PaidExternalOrder): Promise<WhmcsService> {
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (service) return service
  throw new BillingError("refused", `Service ${serviceId} of WHMCS is not there, or another client's`)
}
