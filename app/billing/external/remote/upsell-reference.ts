/**
 * Order id of an upsell on an older server, which creates only an invoice and does not report its status. It encodes
 * the number of connections that the service has once the upsell is paid.
 */
export function encodeUpsellReference(connections: number): string {
  return `to ${connections} connections`
}

/** The encoded number of connections; null for any other order id. */
export function decodeUpsellReference(orderId: string | null): number | null {
  const [, count] = /^to (\d{1,6}) connections$/.exec(orderId ?? "") ?? []
  return count === undefined ? null : Number(count)
}
