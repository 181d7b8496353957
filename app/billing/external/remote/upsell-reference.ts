/**
 * An older server has no order for more connections, only an invoice of which it tells nothing. The name we give it
 * instead says by what one will see that it has been paid: how many connections the service has then.
 */
export function encodeUpsellReference(connections: number): string {
  return `to ${connections} connections`
}

/** How many that are; null for every other name. */
export function decodeUpsellReference(orderId: string | null): number | null {
  const [, count] = /^to (\d{1,6}) connections$/.exec(orderId ?? "") ?? []
  return count === undefined ? null : Number(count)
}
