import { BillingError } from "~/billing/billing"
import type { OrderRepository } from "~/billing/orders/order-repository"
import type { PaymentUpdateResult, UnappliedReport } from "~/billing/payments/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import { toDecimal } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentUpdate, UnappliedReason } from "~/domain/payments/payment"
import type { GatewayError } from "~/gateways/gateway"
import { countOrderStep } from "./count-order-step.server"

type Booking = Pick<LoggedServices, "payments" | "stepCounter" | "tolerance" | "now" | "wakeJobs" | "log"> & {
  readonly billing: Pick<OrderRepository, "order">
}

/** Records a payment update and starts the provisioning of a paid service. Idempotent per event. */
export async function recordPaymentUpdate(
  services: Booking,
  gateway: GatewayId,
  update: PaymentUpdate,
): Promise<PaymentUpdateResult> {
  const recorded = await services.payments.recordPaymentUpdate(
    gateway,
    update,
    services.now(),
    services.tolerance[gateway],
  )
  if (recorded.kind !== "unknown-attempt") await keepCoinReferences(services, update)
  const details = { gateway, attemptId: update.attemptId, status: update.status }
  switch (recorded.kind) {
    case "unknown-attempt":
      await recordUnapplied(services, { gateway, reason: "unknown-attempt", ...callbackMessage(update) })
      break
    case "currency-mismatch":
      await recordUnapplied(services, { gateway, reason: "currency-mismatch", ...callbackMessage(update) })
      break
    case "applied":
      if (recorded.event)
        services.log.info(
          { ...details, orderId: recorded.orderId, event: recorded.event },
          "payment update recorded",
        )
      if (recorded.isPaid) await countPaid(services, recorded.orderId)
      services.wakeJobs()
      break
    case "duplicate":
      break
  }
  return recorded
}

/** Also of an update that repeats the status: the address is known before there is money, and a transaction may follow later. */
async function keepCoinReferences(
  { payments, now }: Booking,
  { attemptId, coinReferences = [] }: PaymentUpdate,
): Promise<void> {
  if (coinReferences.length > 0) await payments.keepCoinReferences(attemptId, coinReferences, now())
}

/** The payment is stored; a sum that is one too small must not have it reported again. */
async function countPaid(services: Booking, orderId: string): Promise<void> {
  try {
    const order = await services.billing.order(orderId)
    if (order) countOrderStep(services, "paid", order)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    services.log.warn({ err: error, orderId }, "paid step not counted")
  }
}

function callbackMessage(update: PaymentUpdate) {
  const { eventKey, attemptId, status, received, refunded, transactionId: paymentId } = update
  const sums = [received, ...(refunded ? [refunded] : [])].map((it) => `${toDecimal(it)} ${it.currency}`)
  const detail = [status, sums.join(" less "), `for attempt ${attemptId}`].join(" ")
  return { eventKey, attemptId, paymentId, update, detail }
}

const MAX_DETAIL = 300

type Unapplied = Omit<UnappliedReport, "eventKey"> & { readonly eventKey?: string }

/** Stores a signed update that cannot be applied for the operator: a repeat would not help. */
export async function recordUnapplied(
  services: Pick<Booking, "payments" | "now" | "log">,
  { detail: text, ...report }: Unapplied,
): Promise<void> {
  const { gateway, reason, attemptId } = report
  services.log.error({ gateway, reason, attemptId }, "payment update not applied")
  const detail = [...text.slice(0, MAX_DETAIL)].map((it) => (it >= " " && it <= "~" ? it : " ")).join("")
  const eventKey = report.eventKey ?? [reason, attemptId ?? "-", detail].join(" ")
  await services.payments.recordUnapplied({ ...report, eventKey, detail }, services.now())
}

/** Why a provider's response cannot be applied; null if a later poll may succeed. */
export function unappliedReason(error: GatewayError): UnappliedReason | null {
  if (error.isTransient) return null
  return error.kind === "refused" ? "unknown-payment" : "unreadable"
}
