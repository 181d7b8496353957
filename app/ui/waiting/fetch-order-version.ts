import { BASE } from "~/domain/base-path"

/** Response of `/api/order-status`. Pages rendered by an earlier release read the same names. */
export type OrderStatusJson = { readonly status: string | null; readonly mark: string }

/**
 * Fetches, in the browser, the version of the current order (null) or of a service. It changes with every event, and is empty once this
 * browser has no access to it, as after a cancellation or a sign-out in another tab. Throws on any other error status.
 */
export async function fetchOrderVersion(serviceId: string | null, signal: AbortSignal): Promise<string> {
  const query = serviceId === null ? "" : `?serviceid=${encodeURIComponent(serviceId)}`
  const response = await fetch(`${BASE}/api/order-status${query}`, {
    signal,
    headers: { accept: "application/json" },
  })
  if (response.status === 404) return ""
  if (!response.ok) throw new Error(`Cannot fetch order status: ${response.status}`)
  const { mark } = (await response.json()) as OrderStatusJson
  return mark
}

/**
 * Inline script for a page without the client bundle: polls the current order's version every 20 s and reloads the page
 * when it changes. Until then the page does not move, so that reading is not interrupted.
 */
export const reloadWhenOrderChanges = `{let mark
const look=async()=>{try{const response=await fetch("${BASE}/api/order-status",{headers:{accept:"application/json"}})
if(!response.ok)return
const now=(await response.json()).mark
if(mark!==undefined&&now!==mark)location.reload()
mark=now}catch{}}
look();setInterval(look,20000)}`
