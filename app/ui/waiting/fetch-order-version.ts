import { BASE } from "~/domain/base-path"

/** What `/api/order-status` answers. Pages that an earlier release has rendered read the same names. */
export type OrderStatusJson = { readonly status: string | null; readonly mark: string }

/** Asks, from the browser, how its order or one of its services stands. The mark changes whenever something has happened. */
export async function fetchOrderVersion(serviceId: string | null, signal: AbortSignal): Promise<string> {
  const query = serviceId === null ? "" : `?serviceid=${encodeURIComponent(serviceId)}`
  const response = await fetch(`${BASE}/api/order-status${query}`, {
    signal,
    headers: { accept: "application/json" },
  })
  if (!response.ok) throw new Error(`No order status: ${response.status}`)
  const { mark } = (await response.json()) as OrderStatusJson
  return mark
}

/**
 * The same as script of a page that carries no other: it is loaded again once its order has changed. Nothing moves on
 * the page until then, so nobody who reads it is interrupted.
 */
export const reloadWhenOrderChanges = `{let mark
const look=async()=>{try{const response=await fetch("${BASE}/api/order-status",{headers:{accept:"application/json"}})
if(!response.ok)return
const now=(await response.json()).mark
if(mark!==undefined&&now!==mark)location.reload()
mark=now}catch{}}
look();setInterval(look,20000)}`
