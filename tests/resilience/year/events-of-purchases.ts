import { expect } from "vitest"
import type { Order } from "~/domain/orders/order"
import type { Checked } from "./money-of-purchases"

/** Each event of the orders and services is published once, and payments with all that was paid. */
export async function expectEvents(checked: Checked, orders: readonly Order[]): Promise<void> {
  const all = await published(checked)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const order of orders) await expectEventsOf(checked, order, all)
  await expectRenewals(checked, all)
}

async function published({ services }: Checked) {
  const { webhooks } = services
  while ((await webhooks.publish(1_000)) > 0);
  const all: Published[] = []
  for (let from = 0; ; ) {
    const page = await webhooks.eventsAfter(from, 500)
    if (page.length === 0) return all
    all.push(...page.map(({ event }) => event as unknown as Published))
    from = page.at(-1)?.position ?? from
  }
}
type Published = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: {
    readonly order?: { readonly id: string }
    readonly service?: { readonly id: string }
    readonly payment?: { readonly amount: string }
  }
}

async function expectEventsOf({ billing }: Checked, order: Order, all: readonly Published[]): Promise<void> {
  const details = (await billing.operator.order(order.id)) ?? expect.fail("no order")
  const own = all.filter(({ data }) => data.order?.id === order.id)
  const count = (type: string) => own.filter((it) => it.type === type).length
  expect(count("order.placed")).toBe(1)
  expect([order.kind, count("order.paid")]).toEqual([
    order.kind,
    details.timeline.some(({ kind }) => kind === "paid") ? 1 : 0,
  ])
  const paid = (types: readonly string[]) =>
    own
      .filter(({ type }) => types.includes(type))
      .reduce((sum, { data }) => sum + Math.round(100 * Number(data.payment?.amount)), 0)
  const booked = details.movements.map(({ amount, gateway }) => ({ minor: amount.minor, gateway }))
  const [came, back] = [
    booked.filter(({ minor, gateway }) => minor > 0 && gateway !== null),
    booked.filter(({ minor }) => minor < 0),
  ].map((rows) => (rows ?? []).reduce((sum, { minor }) => sum + minor, 0))
  expect([paid(["payment.received", "payment.partial"]), paid(["payment.refunded"])]).toEqual([
    came,
    0 - (back ?? 0),
  ])
  const sequences = own.map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other))
}

/** A service's event for each time that terms were added, and no more. */
async function expectRenewals({ ctx }: Checked, all: readonly Published[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom("service_events")
    .select(["service_id", "kind"])
    .where("kind", "in", [
      "renewed",
      "suspended",
      "resumed",
      "terminated",
      "plan-changed",
      "extended",
      "connections",
    ])
    .execute()
  const changes = ["plan-changed", "extended", "connections"]
  const expected = rows.map(({ service_id, kind }) =>
    changes.includes(kind) ? `${service_id} changed` : `${service_id} ${kind}`,
  )
  const types = ["renewed", "suspended", "resumed", "terminated", "changed"].map((it) => `service.${it}`)
  const found = all
    .filter(({ type }) => types.includes(type))
    .map(({ type, data }) => `${data.service?.id} ${type.replace("service.", "")}`)
  expect(found.toSorted()).toEqual(expected.toSorted())
}
