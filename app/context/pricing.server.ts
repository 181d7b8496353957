import { createContext } from "react-router"
import type { PricingContext } from "~/domain/catalogue/pricing"

/** No default value: a page without the middleware that sets it throws instead of selling in another currency. */
export const pricingContext = createContext<PricingContext>()
