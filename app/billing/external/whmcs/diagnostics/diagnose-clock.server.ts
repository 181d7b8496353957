import type { Diagnostic } from "~/billing/diagnostic"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { listResponse } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import { OrderShape } from "../orders/order-schema"

/** Allows for the duration of a call and a small clock difference. */
const NEAR = MINUTE

/** Checks the clock of WHMCS's server, and `WHMCS_TIME_ZONE` against the time of the latest order. */
export async function clockDiagnostics(whmcs: Whmcs, now: Instant): Promise<readonly Diagnostic[]> {
  const date = await whmcs.api.clock()
  const remote = date === null ? Number.NaN : Date.parse(date)
  return [serverClock(remote - now), ...(await zone(whmcs, now))]
}

function serverClock(ahead: number): Diagnostic {
  const check = "clock"
  if (Number.isNaN(ahead)) return { ok: null, check, message: "the server sends no Date header" }
  const seconds = Math.round(Math.abs(ahead) / SECOND)
  if (Math.abs(ahead) <= NEAR)
    return { ok: true, check, message: seconds === 0 ? "in sync" : `${seconds} s off` }
  return { ok: false, check, message: `${seconds} s ${ahead > 0 ? "ahead" : "behind"}` }
}

const LastOrders = listResponse("orders", "order", OrderShape)

/** WHMCS has no action for its local time or time zone. A latest order in the future proves that the zone is wrong. */
async function zone({ api, clock, settings }: Whmcs, now: Instant): Promise<readonly Diagnostic[]> {
  const orders = await api.read("GetOrders", { limitnum: 1 }, LastOrders)
  const last = clock.instantOf(orders[0]?.date ?? "")
  const check = "time zone"
  if (last === null || last <= now + NEAR) {
    return [{ ok: null, check, message: `${settings.timeZone}: compare with the time in WHMCS's admin area` }]
  }
  const message = `the last order is ${Math.round((last - now) / MINUTE)} minutes in the future: WHMCS_TIME_ZONE ${settings.timeZone} is wrong`
  return [{ ok: false, check, message }]
}
