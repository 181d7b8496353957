import { DAY, HOUR } from "~/domain/calendar"
import type { CompleteChoices } from "~/domain/orders/choices"
import type { Order } from "~/domain/orders/order"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { priceChoice } from "~/flows/checkout/quote-choices.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { createLine } from "~/flows/resellers/create-line.server"
import { startResellerReview } from "~/flows/resellers/start-reseller-review.server"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { recreateService, tieToDevice } from "~/flows/services/change-service.server"
import { request } from "../../fixtures/purchase"
import { choice, pricing } from "../../fixtures/test-shop"
import { type JourneyContext, type Step, serviceOf } from "./journey"

const otherSession = { address: "192.0.2.7", country: "XX", browser: null, locale: "en-en" } as const

/** Submits the review step. */
export const order: Step = {
  name: "orders",
  async act(traveller) {
    const { shop, email, gateway, extra } = traveller
    const choices: CompleteChoices = { ...choice, email, gateway, ...extra }
    const priced = await priceChoice(shop.services, choices, pricing)
    if (priced.kind === "rejected") return false
    const input = { key: `draft of ${email}`, choices, agreedTotal: priced.quote.total.minor }
    return placed(traveller, await placeOrder(shop.services, request(input)))
  },
}

/** Signs up as a reseller and submits the review step. */
export const orderAsReseller: Step = {
  name: "signs up and orders",
  async act(traveller) {
    const { shop, email, gateway } = traveller
    const start = await startResellerReview(shop.services, {
      key: `form of ${email}`,
      plan: "12",
      gateway,
      coin: null,
      promoCode: null,
      locale: "en-en",
      who: { address: otherSession.address, visitor: null, authenticated: false },
      buyer: { kind: "new", email, password: "correct horse battery staple" },
      agreed: { code: null, shown: undefined },
      pricing,
    })
    if (start.kind !== "ready" || !start.customer) return false
    const { choices, key, customer, total: agreedTotal } = start
    traveller.customer = customer
    return placed(
      traveller,
      await placeOrder(shop.services, request({ choices, key, customer, agreedTotal })),
    )
  },
}

/** Orders two extra connections for the service. */
export const orderMore: Step = {
  name: "orders more",
  async act(traveller) {
    const { shop, email, gateway } = traveller
    const service = await serviceOf(traveller)
    if (!service) return false
    const input = { service, customer: null, orderId: null, quantity: 2, shownUnit: null, gateway }
    return placed(
      traveller,
      await buyUpsell(shop.services, { ...input, key: `more of ${email}`, ...otherSession }),
    )
  },
}

function placed(traveller: JourneyContext, placement: { kind: string; order?: Order }): boolean {
  if (placement.order) traveller.order = placement.order
  return placement.kind === "placed"
}

export const cancelOrderStep: Step = {
  name: "gives up",
  act: async ({ shop, order }) =>
    order !== undefined && (await cancelUnpaidOrder(shop.services, order.id)) !== null,
}

export const work: Step = {
  name: "is served",
  async act({ shop }) {
    while ((await runJobs(shop.services)) > 0);
    return true
  },
}

export const tieDevice: Step = {
  name: "ties a device",
  async act(traveller) {
    const service = await serviceOf(traveller)
    if (service?.status !== "Active") return true
    return (await tieToDevice(traveller.shop.services, service, "00:1A:79:00:00:01" as never)) === "done"
  },
}

export const recreate: Step = {
  name: "has his line made anew",
  async act(traveller) {
    const service = await serviceOf(traveller)
    if (service?.status !== "Active") return true
    return (await recreateService(traveller.shop.services, service)) === "done"
  },
}

/** Creates a line for a reseller's customer. */
export const makeLine: Step = {
  name: "makes a line",
  async act(traveller) {
    const { shop, customer, email } = traveller
    const service = await serviceOf(traveller)
    if (!customer || service?.status !== "Active") return true
    const input = { customer, service, key: `line of ${email}`, notes: "Leo", ...otherSession }
    return (await createLine(shop.services, input)).kind === "made"
  },
}

/** The payment expires without a request in between. */
export const aDayLater: Step = {
  name: "stays away for a day",
  async act({ shop }) {
    shop.wait(DAY + HOUR)
    await sweep(shop.services, "sweeper")
    return true
  },
}
