import type { Billing } from "~/billing/billing"
import { type Books, told } from "./books.server"
import { products } from "./catalogue.server"
import { identify } from "./customers.server"
import { moveOrder } from "./orders/order-moves.server"
import { order, overdueOrders } from "./orders/orders.server"
import { placeOrder } from "./orders/place-order.server"
import { activateService, service, tellDelay } from "./orders/services.server"
import { timeline } from "./orders/timeline.server"
import { promotion } from "./promotions.server"

/** The books as checkout sees them. */
export function billingOf(books: Books): Billing {
  return {
    plans: () => told(products(books, "plan")),
    resellerPlans: () => told(products(books, "reseller")),
    promotion: (code) => told(promotion(books, code)),
    identify: (visitor) => told(identify(books, visitor)),
    placeOrder: (wish) => told(placeOrder(books, wish)),
    order: (id) => told(order(books, id)),
    timeline: (orderId) => told(timeline(books, orderId)),
    moveOrder: (id, event, at) => told(moveOrder(books, id, { event, at })),
    overdueOrders: (now, most) => told(overdueOrders(books, now, most)),
    service: (id) => told(service(books, id)),
    activateService: (id, { host }, at) => told(activateService(books, id, { host, at })),
    tellDelay: (serviceId, at) => told(tellDelay(books, serviceId, at)),
  }
}
