import { type GatewayPayment, type SystemState, sum } from "./system-state"

/** Money taken by gateways is recorded once, and no other money is. */
export function gatewayViolations(state: SystemState): string[] {
  return [...bookedTwice(state), ...(state.gateways ? compared(state, state.gateways) : [])]
}

function bookedTwice({ database }: SystemState): string[] {
  const named = database.payments.filter(
    ({ transaction_id, amount }) => transaction_id !== null && amount > 0,
  )
  return [...Map.groupBy(named, (it) => `${it.gateway} ${it.transaction_id}`)].flatMap(([name, rows]) =>
    new Set(rows.map(({ attempt_id }) => attempt_id)).size > 1 ? [`transfer ${name} is recorded twice`] : [],
  )
}

function compared({ database }: SystemState, gateways: readonly GatewayPayment[]): string[] {
  const attempts = database.payment_attempts.map((attempt) => ({
    attempt,
    payments: gateways.filter(
      ({ names }) => names.includes(attempt.id) || names.includes(attempt.payment_id ?? ""),
    ),
  }))
  const known = new Set(attempts.flatMap(({ payments }) => payments))
  return [
    ...gateways.flatMap((it) =>
      it.received > 0 && !known.has(it)
        ? [`payment lost: ${it.names[0]} brought ${it.received} for no attempt`]
        : [],
    ),
    ...attempts.flatMap(({ attempt: { id, received }, payments }) => {
      const paid = sum(payments.map((it) => it.received))
      // Some gateways cannot detect a repeated request; a payment page that no buyer has opened does no damage.
      const times = payments.filter((it) => it.received > 0).length
      if (times > 1) return [`attempt ${id} was paid ${times} times at its gateway`]
      if (paid > received) return [`payment lost: ${paid} was paid for attempt ${id}, ${received} is booked`]
      return paid < received
        ? [`payment doubled: ${paid} was paid for attempt ${id}, ${received} is booked`]
        : []
    }),
  ]
}
