import { createContext } from "react-router"

/** The lines that the submitted form of a reseller's list had selected: a refused form keeps them. */
export const selectedLinesContext = createContext<readonly string[]>([])
