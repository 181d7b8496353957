import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/locale.server"
import { divert } from "./divert.server"

/** Screens for those who have bought a reseller plan; everybody else is shown the plans (spec, section 2, guard 3). */
export const resellersOnly: MiddlewareFunction<Response> = ({ context }) => {
  throw divert(context.get(localeContext), "/resellers")
}
