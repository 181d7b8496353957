import { createContext } from "react-router"
import type { Order } from "~/domain/order"

/** The session's order as the page's guard read it; null if there is none, or if no guard read it. */
export const currentOrderContext = createContext<Order | null>(null)
