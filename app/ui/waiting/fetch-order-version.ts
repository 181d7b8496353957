import { BASE } from "~/domain/base-path"

/** Asks, from the browser, how its order or one of its services stands. The mark changes whenever something has happened. */
export async function orderMark(serviceId: string | null, signal: AbortSignal): Promise<string> {
  const query = serviceId === null ? "" : `?serviceid=${encodeURIComponent(serviceId)}`
  const response = await fetch(`${BASE}/api/order-status${query}`, {
    signal,
    headers: { accept: "application/json" },
  })
  if (!response.ok) throw new Error(`No order status: ${response.status}`)
  const { mark } = (await response.json()) as { mark: string }
  return mark
}
