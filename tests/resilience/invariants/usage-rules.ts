import { grouped, type SystemState, sum, unpaidFinalStatuses } from "./system-state"

/** Counters match what they count: uses of promo codes, and reseller credits. */
export function countingViolations(state: SystemState): string[] {
  return [...promotions(state), ...resellerCredits(state)]
}

function promotions({ database }: SystemState): string[] {
  const holding = database.orders.filter(({ status }) => !unpaidFinalStatuses.includes(status))
  const holdersOf = grouped(holding, ({ promo_key }) => promo_key ?? "")
  return database.promotions.flatMap(({ code_key, uses }) => {
    const held = holdersOf(code_key).length
    return uses === held ? [] : [`code ${code_key} counts ${uses} uses, ${held} orders hold it`]
  })
}

function resellerCredits({ database }: SystemState): string[] {
  const given = grouped(database.credit_entries, ({ to_account }) => to_account)
  const taken = grouped(database.credit_entries, ({ from_account }) => from_account)
  const amounts = (rows: readonly { amount: number }[]) => sum(rows.map(({ amount }) => amount))
  const all = sum(database.credit_balances.map(({ balance }) => balance))
  return [
    ...(all === 0 ? [] : [`the resellers' ledger sums to ${all}`]),
    ...database.credit_balances.flatMap(({ account, balance }) => {
      const moved = amounts(given(account)) - amounts(taken(account))
      return [
        ...(balance === moved ? [] : [`account ${account} says ${balance}, its entries come to ${moved}`]),
        ...(balance < 0 && account !== "issued" ? [`account ${account} is below zero: ${balance}`] : []),
      ]
    }),
  ]
}
