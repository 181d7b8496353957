import { createContext } from "react-router"

/** The affiliate whose link brought the visitor, now or in the last 90 days; null when nobody did. */
export const affiliateContext = createContext<string | null>(null)
