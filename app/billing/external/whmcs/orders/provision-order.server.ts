import { BillingError } from "~/billing/billing"
import type { PaidExternalOrder, ProvisionedService } from "~/billing/external/external-services"
import { AnyResponse } from "../client/api.server"
import { nullOnError, WhmcsError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { settle } from "../payments/payments.server"
import { credentialsOf, NO_MODULE, runModule } from "../services/module-commands.server"
import { usernamesOf, writeServiceCredentials } from "../services/service-credentials.server"
import type { WhmcsService } from "../services/service-schema"
import { ownService, toExternalService } from "../services/services.server"
import { ownOrder } from "./own-order.server"
import { setUpUpgrade } from "./provision-upgrade.server"

const NOT_PENDING = /not pending/i

/**
 * Records the payments of an order and provisions its service. Idempotent: every step first checks whether it is done.
 * Credentials are written before the payment, because WHMCS may create the line automatically once the invoice is paid.
 * Throws `BillingError`: "refused" for a fraud hold, a suspended or a terminated service, "unavailable" if the service
 * is not active afterwards. `unfinished`: the service works, but WHMCS did not accept its order.
 */
export async function provision(
  whmcs: Whmcs,
  paid: PaidExternalOrder,
  beforePayment?: () => Promise<void>,
): Promise<ProvisionedService> {
  const isPending = await reopenOrder(whmcs, paid)
  if (paid.kind === "upsell") {
    await settle(whmcs, paid, beforePayment)
    return setUpUpgrade(whmcs, paid)
  }
  const before = await ownService(whmcs, paid)
  if (!isWorking(whmcs, paid, before)) await prepare(whmcs, paid, before)
  await settle(whmcs, paid, beforePayment)
  const { service, unaccepted } = await working(whmcs, paid, isPending)
  const provisioned = await toExternalService(whmcs, service)
  if (unaccepted === null) return provisioned
  return Object.assign(provisioned, { unfinished: unaccepted.message })
}

/**
 * Whether the order still has to be accepted. A cancelled order becomes pending again, because its payment arrived
 * late. Throws `BillingError` "refused" for an order that staff marked as fraud.
 */
async function reopenOrder(whmcs: Whmcs, paid: PaidExternalOrder): Promise<boolean> {
  if (paid.orderId === null) return false
  const { id: orderid, status } = await ownOrder(whmcs, paid)
  if (status === "fraud")
    throw new BillingError("refused", `Cannot provision WHMCS order ${orderid}: marked as fraud`)
  if (status === "cancelled") await whmcs.api.write("PendingOrder", { orderid }, AnyResponse)
  return status !== "active"
}

/** When recreating a line, an active service counts only if it has the new username. */
function isWorking(
  whmcs: Whmcs,
  { isRecreation, credentials }: PaidExternalOrder,
  service: WhmcsService,
): boolean {
  if (!isRecreation || !isActive(service)) return isActive(service)
  return usernamesOf(whmcs, service).includes(credentials.username)
}

function isActive({ status }: WhmcsService): boolean {
  return status === "active" || status === "completed"
}

/** Terminates an old line and writes the new credentials. Any active service after this is the wanted one. */
async function prepare(whmcs: Whmcs, paid: PaidExternalOrder, service: WhmcsService): Promise<void> {
  const { id, status } = service
  if (status === "suspended" || (status === "terminated" && !paid.isRecreation)) {
    throw new BillingError("refused", `Cannot provision WHMCS service ${id}: it is ${status} in WHMCS`)
  }
  if (isActive(service)) await runModule(whmcs, "ModuleTerminate", service)
  await writeServiceCredentials(whmcs, service, paid.credentials)
}

/**
 * Accepts the order and provisions its service. Accepting runs the server module; if the panel rejects that, or the
 * module is at work, the line is created first and the order is accepted afterwards, without another set-up.
 */
async function working(whmcs: Whmcs, paid: PaidExternalOrder, isPending: boolean): Promise<Working> {
  let service = await ownService(whmcs, paid)
  let rejection = isPending ? await accept(whmcs, paid, service) : null
  const isUnaccepted = rejection !== null
  if (isPending) service = await ownService(whmcs, paid)
  if (!isActive(service)) {
    rejection = (await create(whmcs, service)) ?? rejection
    service = await ownService(whmcs, paid)
  }
  if (isActive(service)) {
    return { service, unaccepted: isUnaccepted ? await accept(whmcs, paid, service) : null }
  }
  const why = rejection?.message ?? `status ${service.status} after provisioning`
  throw new BillingError("unavailable", `Cannot provision WHMCS service ${service.id}: ${why}`)
}

/** `unaccepted`: the second rejection of the order. The service works, so it does not keep the buyer from it. */
type Working = { readonly service: WhmcsService; readonly unaccepted: WhmcsError | null }

/** Accepts the order. Returns a rejection, such as the panel's error; ignores that the order was already accepted. */
async function accept(
  whmcs: Whmcs,
  paid: PaidExternalOrder,
  service: WhmcsService,
): Promise<WhmcsError | null> {
  const works = isActive(service)
  const { username: serviceusername, password: servicepassword } = paid.credentials
  const access = works ? {} : { serviceusername, servicepassword }
  const params = {
    orderid: paid.orderId,
    ...access,
    autosetup: !works,
    sendemail: whmcs.settings.sendsMail ?? false,
  }
  const secrets = [serviceusername, servicepassword, ...credentialsOf(whmcs, service)]
  const accepted = whmcs.api.write("AcceptOrder", params, AnyResponse, secrets)
  return rejectionOf(nullOnError(NOT_PENDING, accepted))
}

/** Runs ModuleCreate. A product without a server module needs no panel, so its service is set to Active. */
async function create(whmcs: Whmcs, service: WhmcsService): Promise<WhmcsError | null> {
  const rejection = await rejectionOf(runModule(whmcs, "ModuleCreate", service))
  if (!rejection?.matches(NO_MODULE)) return rejection
  const activation = { serviceid: service.id, status: "Active" }
  return rejectionOf(whmcs.api.write("UpdateClientProduct", activation, AnyResponse))
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
