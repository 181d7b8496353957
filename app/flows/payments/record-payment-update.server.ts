import type { PaymentUpdateResult, UnappliedReport } from "~/billing/payment-repository"
import type { Services } from "~/context/services.server"
import type { GatewayId } from "~/domain/gateway-id"
import { toDecimal } from "~/domain/money"
import type { PaymentUpdate, UnappliedReason } from "~/domain/payment"
import type { GatewayError } from "~/gateways/gateway"

type Booking = Pick<Services, "payments" | "tolerance" | "now" | "wakeJobs" | "log">

/** Books what a gateway says of a payment, and gets the set-up of a paid service going. */
export async function recordPaymentUpdate(
  services: Booking,
  gateway: GatewayId,
  news: PaymentUpdate,
): Promise<PaymentUpdateResult> {
  const recorded = await services.payments.recordPaymentUpdate(
    gateway,
    news,
    services.now(),
    services.tolerance[gateway],
  )
  const facts = { gateway, attemptId: news.attemptId, status: news.status }
  switch (recorded.kind) {
    case "unknown-attempt":
      await keepUnapplied(services, { gateway, reason: "unknown-attempt", ...reportOf(news) })
      break
    case "currency-mismatch":
      await keepUnapplied(services, { gateway, reason: "currency-mismatch", ...reportOf(news) })
      break
    case "applied":
      if (recorded.told)
        services.log.info(
          { ...facts, orderId: recorded.orderId, event: recorded.told },
          "payment update recorded",
        )
      services.wakeJobs()
      break
    case "duplicate":
      break
  }
  return recorded
}

function reportOf({ eventKey, attemptId, status, received, refunded }: PaymentUpdate) {
  const sums = [received, ...(refunded ? [refunded] : [])].map((it) => `${toDecimal(it)} ${it.currency}`)
  return { eventKey, attemptId, detail: [status, sums.join(" less "), `for attempt ${attemptId}`].join(" ") }
}

const LONGEST_DETAIL = 300

type Unapplied = Omit<UnappliedReport, "eventKey"> & { readonly eventKey?: string }

/** Keeps a signed report that nobody can book, for the operator: a repeat of it would not help either. */
export async function keepUnapplied(
  services: Pick<Booking, "payments" | "now" | "log">,
  { detail: said, ...report }: Unapplied,
): Promise<void> {
  const { gateway, reason, attemptId } = report
  services.log.error({ gateway, reason, attemptId }, "payment update not applied")
  const detail = [...said.slice(0, LONGEST_DETAIL)].map((it) => (it >= " " && it <= "~" ? it : " ")).join("")
  const eventKey = report.eventKey ?? [reason, attemptId ?? "-", detail].join(" ")
  await services.payments.recordUnapplied({ ...report, eventKey, detail }, services.now())
}

/** Why what a provider has said cannot be booked; null where the same question may go better later. */
export function unappliedReason(error: GatewayError): UnappliedReason | null {
  if (error.mayPass) return null
  return error.kind === "refused" ? "unknown-payment" : "unreadable"
}
