import { createContext } from "react-router"
import type { Order } from "~/domain/order"

/** The order in a visitor's hand as the guard of the page has read it; null when he has none, or nobody has looked. */
export const currentOrderContext = createContext<Order | null>(null)
