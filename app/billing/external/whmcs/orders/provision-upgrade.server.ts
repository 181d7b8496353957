import { BillingError } from "~/billing/billing"
import type { ExternalService, PaidExternalOrder } from "~/billing/external/external-services"
import { AnyResponse } from "../client/api.server"
import { encodedMap } from "../client/encoded-map"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { changeTo, extraHeld } from "../services/connections"
import { pushToPanel } from "../services/module-commands.server"
import { serviceAt, toExternalService } from "../services/services.server"
import { type OrderRef, ownOrder } from "./own-order.server"

/**
 * Applies paid extra connections to a service. WHMCS applies an upgrade order itself once its invoice is paid;
 * otherwise this sets the option and pushes the change to the panel. Idempotent.
 */
export async function setUpUpgrade(whmcs: Whmcs, paid: PaidExternalOrder): Promise<ExternalService> {
  await acceptPending(whmcs, paid)
  const { customerId, serviceId, connections } = paid
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (!service) throw new BillingError("refused", `Service ${serviceId} not found in WHMCS`)
  const product = await whmcs.products.ordered(service.pid)
  const extra = connections - 1
  const isApplied = (extraHeld(service, product) ?? 0) >= extra
  if (!isApplied) {
    const configoptions = encodedMap(changeTo(extra, product))
    await whmcs.api.write(
      "UpdateClientProduct",
      { serviceid: serviceId, configoptions, autorecalc: true },
      AnyResponse,
    )
  }
  // A plain invoice changes nothing in WHMCS, so the panel needs a push, also on a retry.
  if (!isApplied || paid.orderId === null) await pushToPanel(whmcs, service)
  return toExternalService(whmcs, (await serviceAt(whmcs, { customerId, serviceId })) ?? service)
}

/** Accepts an order that WHMCS holds as pending after its payment; no effect on others. */
export async function acceptPending(whmcs: Whmcs, paid: OrderRef): Promise<void> {
  if (paid.orderId === null) return
  const { id: orderid, status } = await ownOrder(whmcs, paid)
  if (status !== "pending") return
  const accepted = whmcs.api.write(
    "AcceptOrder",
    { orderid, autosetup: false, sendemail: whmcs.settings.sendsMail ?? false },
    AnyResponse,
  )
  await nullOnError(/not pending/i, accepted)
}
