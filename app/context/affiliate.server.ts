import { createContext } from "react-router"

/** The affiliate whose link the visitor followed within the last 90 days; null without one. */
export const affiliateContext = createContext<string | null>(null)
