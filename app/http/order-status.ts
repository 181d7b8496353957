import { BASE } from "~/domain/base-path"

/** Asks, from the browser, how this browser's order stands. The mark changes whenever something has happened. */
export async function orderMark(signal: AbortSignal): Promise<string> {
  const response = await fetch(`${BASE}/api/order-status`, {
    signal,
    headers: { accept: "application/json" },
  })
  if (!response.ok) throw new Error(`No order status: ${response.status}`)
  const { mark } = (await response.json()) as { mark: string }
  return mark
}
