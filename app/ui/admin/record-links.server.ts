import { consoleHref } from "./console-frame.server"

/** Address of an order's page. */
export function orderHref(id: string): string {
  return consoleHref(`/admin/orders/${encodeURIComponent(id)}`)
}

/** Address of a customer's page. */
export function customerHref(id: string): string {
  return consoleHref(`/admin/customers/${encodeURIComponent(id)}`)
}

/** Address of a message's page. */
export function mailHref(id: string): string {
  return consoleHref(`/admin/mail/${encodeURIComponent(id)}`)
}

/** Address of a service's page. */
export function serviceHref(id: string): string {
  return consoleHref(`/admin/services/${encodeURIComponent(id)}`)
}
