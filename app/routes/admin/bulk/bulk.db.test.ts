import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, SECOND } from "~/domain/calendar"
import { type BulkAction, type BulkList, bulkActions, bulkLists } from "~/domain/console/bulk"
import { mayDo, type OperatorRole, operatorRoles } from "~/domain/operators/operator"
import type { Order } from "~/domain/orders/order"
import { bulkFields, bulkQueryIn } from "~/flows/admin/bulk/bulk-query.server"
import type { JobFilter } from "~/flows/admin/find-jobs.server"
import type { OrderFilter } from "~/flows/admin/orders/find-orders.server"
import type { ServiceFilter } from "~/flows/admin/services/find-services.server"
import { runBulk } from "~/flows/jobs/run-bulk.server"
import { GatewayError } from "~/gateways/gateway"
import { byAdminCli } from "../../../../tests/contracts/billing/billing-fixtures"
import { type ConsoleVisitor, enrolled, keyOfOwnSession } from "../../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const pageOf = async (who: ConsoleVisitor, path: string) => (await who.request({ path })).text()

/** The hidden fields of the form that begins a run. */
function beginFields(page: string): Record<string, string> {
  const form = page.split("<form").find((it) => it.includes('name="shown"')) ?? ""
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]))
}

type Begun = { readonly response: Response; readonly id: string; readonly form: Record<string, string> }

async function begin(query: string, typed: Record<string, string>, who = owner): Promise<Begun> {
  const form = { ...beginFields(await pageOf(who, `/admin/bulk?${query}`)), ...typed }
  const response = await who.request({ path: "/admin/bulk", form })
  return { response, form, id: response.headers.get("location")?.split("/").at(-1) ?? "" }
}

const days = { days: "2", reason: "outage" }
const extension = "list=services&action=extend-service"

async function endOf({ serviceId }: Order) {
  return (await shop.services.billing.service(serviceId))?.paidUntil ?? 0
}

async function boughtPlans(count: number): Promise<Order[]> {
  const orders: Order[] = []
  for (let at = 0; at < count; at++) orders.push(await buyPlan(shop, { key: `draft-${at}` }))
  return orders
}

test("an operator gives days to all services of a filter: they see the number and ten of them before", async () => {
  const orders = await boughtPlans(12)
  owner = await enrolled(shop, "owner", "jonas@shop.test")
  const ends = await Promise.all(orders.map(endOf))
  const page = await pageOf(owner, `/admin/bulk?${extension}&status=Active`)
  expect(page).toContain("<h2>12 services</h2>")
  const newest = await shop.billing.billing.service(orders.at(-1)?.serviceId ?? "")
  expect(page).toContain(`<td>${newest?.username}, 12 months, Active</td>`)
  expect(page.match(/href="\/checkout\/admin\/services\/[^"]+"/g)).toHaveLength(10)
  const { response, id } = await begin(`${extension}&status=Active`, days)
  expect([response.status, response.headers.get("location")]).toEqual([303, `/checkout/admin/bulk/${id}`])
  expect(await Promise.all(orders.map(endOf))).toEqual(ends)
  await runBulk(shop.services)
  expect(await Promise.all(orders.map(endOf))).toEqual(ends.map((it) => it + 2 * DAY))
  const shown = await pageOf(owner, `/admin/bulk/${id}`)
  expect(shown).toContain("12 of 12")
  expect(shown).toContain("<h2>Ended</h2>")
  expect(await pageOf(owner, "/admin/bulk")).toContain("12/12")
})

test("a form that is sent twice begins once, and each service gets the days once", async () => {
  const [order] = await boughtPlans(1)
  if (!order) throw new Error("no order")
  const before = await endOf(order)
  const { form } = await begin(extension, days)
  expect((await owner.request({ path: "/admin/bulk", form })).headers.get("location")).toBe(
    "/checkout/admin/bulk?sent-before",
  )
  await runBulk(shop.services)
  await runBulk(shop.services)
  expect(await endOf(order)).toBe(before + 2 * DAY)
})

test("a service that has changed since it was chosen is left as it is, and the result says so", async () => {
  const [one, other] = await boughtPlans(2)
  if (!one || !other) throw new Error("no orders")
  const { id } = await begin(extension, days)
  const { operator } = shop.billing
  const at = shop.services.now()
  await operator.extendService(one.serviceId, { days: 1, reason: "asked", at })
  const ends = await Promise.all([one, other].map(endOf))
  await runBulk(shop.services)
  expect(await Promise.all([one, other].map(endOf))).toEqual([ends[0], (ends[1] ?? 0) + 2 * DAY])
  expect(await pageOf(owner, `/admin/bulk/${id}`)).toContain("It has changed since it was chosen.")
  const file = await pageOf(owner, `/admin/bulk/${id}/result.csv`)
  expect(file).toContain(`${one.serviceId},skipped,changed,`)
  expect(file).toContain(`${other.serviceId},done,,`)
})

test("a run is stopped: what is done stays done, and nothing else is", async () => {
  const orders = await boughtPlans(3)
  const ends = await Promise.all(orders.map(endOf))
  const { id } = await begin(extension, days)
  const [first] = await shop.services.bulk.unsettled(id, 1)
  if (!first) throw new Error("no rows")
  await shop.services.bulk.apply(first, shop.services.now())
  const page = await pageOf(owner, `/admin/bulk/${id}`)
  const key = /name="key" value="([^"]+)"/.exec(page)?.[1] ?? ""
  const path = `/admin/bulk/${id}`
  expect((await owner.request({ path, form: { key, reason: "" } })).status).toBe(422)
  expect((await owner.request({ path, form: { key, reason: "wrong filter" } })).status).toBe(303)
  await runBulk(shop.services)
  const given = (await Promise.all(orders.map(endOf))).map((end, at) => end - (ends[at] ?? 0))
  expect(given.toSorted()).toEqual([0, 0, 2 * DAY].toSorted())
  expect(await pageOf(owner, path)).toContain("<h2>Stopped</h2>")
})

test("each service of a run is in the audit log with the run and the reason", async () => {
  const [order] = await boughtPlans(1)
  const { id } = await begin(extension, days)
  await runBulk(shop.services)
  const about = async (subject: string) => await shop.billing.auditLog.newest({ limit: 5, subject })
  expect(await about(`bulk ${id}`)).toMatchObject([
    { outcome: "done", action: "extend-service", reason: "outage", operator: owner.email },
    { outcome: "started" },
  ])
  const entries = await about(`service ${order?.serviceId}`)
  expect(entries).toMatchObject([{ outcome: "done", action: "extend-service", operator: owner.email }])
  expect(entries[0]?.after).toContain(id)
  expect((await shop.billing.auditLog.verify()).brokenAt).toBeNull()
})

test("a run goes no further when its operator was disabled", async () => {
  const [order] = await boughtPlans(1)
  if (!order) throw new Error("no order")
  const before = await endOf(order)
  const { id } = await begin(extension, days)
  const at = shop.services.now()
  const found = await shop.billing.operators.list()
  await shop.billing.operators.disable(found[0]?.id ?? "", at, byAdminCli)
  await runBulk(shop.services)
  expect(await endOf(order)).toBe(before)
  expect(await shop.services.bulk.find(id)).toMatchObject({
    stoppedBy: "the operator may not do this any more",
  })
})

test("open orders of a filter are cancelled, and one that was paid meanwhile is not", async () => {
  const open = (await buy(shop, { key: "open" })).order
  const paid = (await buy(shop, { key: "paid" })).order
  const query = "list=orders&action=cancel-order"
  expect(await pageOf(owner, `/admin/bulk?${query}`)).toContain("<td>Awaiting payment, €")
  const { id } = await begin(query, { reason: "test orders" })
  await shop.services.billing.applyOrderEvent(paid.id, "paid", shop.services.now())
  await runBulk(shop.services)
  const statusOf = async ({ id }: Order) => (await shop.services.billing.order(id))?.status
  expect([await statusOf(open), await statusOf(paid)]).toEqual(["cancelled", "paid"])
  const file = await pageOf(owner, `/admin/bulk/${id}/result.csv`)
  expect(file).toContain(`${open.id},done,,`)
  expect(file).toContain(`${paid.id},skipped,changed,`)
})

test("an order that a dead worker had cancelled is found done, and one that it had only begun is cancelled", async () => {
  const orders = [(await buy(shop, { key: "one" })).order, (await buy(shop, { key: "two" })).order]
  const { id } = await begin("list=orders&action=cancel-order", { reason: "test orders" })
  const at = shop.services.now()
  const rows = await shop.services.bulk.unsettled(id, 2)
  for (const row of rows) expect(await shop.services.bulk.start(row, at)).toBe(true)
  await shop.services.billing.applyOrderEvent(rows[0]?.item ?? "", "aborted", at)
  await runBulk(shop.services)
  for (const order of orders) expect((await shop.services.billing.order(order.id))?.status).toBe("cancelled")
  expect((await shop.services.bulk.find(id))?.counts).toMatchObject({ done: 2, started: 0 })
})

test("a gateway that does not answer leaves its order as it is", async () => {
  const { order } = await buy(shop)
  const { id } = await begin("list=orders&action=cancel-order", { reason: "test orders" })
  shop.gateway.fail(new GatewayError("unavailable", "timeout"))
  await runBulk(shop.services)
  expect((await shop.services.billing.order(order.id))?.status).not.toBe("cancelled")
  expect(await pageOf(owner, `/admin/bulk/${id}/result.csv`)).toContain(`${order.id},skipped,no-answer,`)
})

test("jobs that were given up run again, those of a list and those of orders", async () => {
  const [order] = await boughtPlans(1)
  if (!order) throw new Error("no order")
  for (const query of [
    "list=jobs&action=retry-job&state=parked",
    "list=orders&action=retry-job&status=active",
  ]) {
    const { outbox, now } = shop.services
    await shop.billing.operator.extendService(order.serviceId, { days: 1, reason: "x", at: now() })
    const [job] = await outbox.claim(now(), 1_000, 1, "terms")
    if (!job) throw new Error("no job")
    await outbox.reschedule(job, { at: now(), due: null, reason: "panel: HTTP 503" })
    const { id } = await begin(query, { reason: "panel is back" })
    await runBulk(shop.services)
    expect(await shop.billing.operator.jobs()).toEqual([])
    expect((await shop.services.bulk.find(id))?.counts).toMatchObject({ done: 1, skipped: 0 })
    shop.wait(5 * SECOND)
    const [again] = await outbox.claim(now(), 1_000, 1, "terms")
    if (again) await outbox.complete(again)
  }
})

test("more rows than the operator has seen are not treated, and orders placed since are left out", async () => {
  await boughtPlans(1)
  const form = { ...beginFields(await pageOf(owner, `/admin/bulk?${extension}`)), ...days }
  await buyPlan(shop, { key: "later" })
  const response = await owner.request({ path: "/admin/bulk", form })
  expect(response.status).toBe(422)
  expect(await response.text()).toContain("More match than you have seen.")
  const cancelling = "list=orders&action=cancel-order"
  await buy(shop, { key: "open" })
  const seen = { ...beginFields(await pageOf(owner, `/admin/bulk?${cancelling}`)), reason: "test" }
  shop.wait(1_000)
  const { order } = await buy(shop, { key: "new" })
  expect((await owner.request({ path: "/admin/bulk", form: seen })).status).toBe(303)
  await runBulk(shop.services)
  expect((await shop.services.billing.order(order.id))?.status).not.toBe("cancelled")
})

test.each([
  [`${extension}&endsBefore=soon`, "endsBefore"],
  ["list=orders&action=cancel-order&status=odd", "status"],
  ["list=jobs&action=retry-job&about=odd", "about"],
])("a filter that is not valid chooses nothing: %s", async (query, field) => {
  await boughtPlans(1)
  const page = await pageOf(owner, `/admin/bulk?${query}`)
  expect(page).toContain(`so that nothing is chosen: ${field}`)
  expect(page).not.toContain('name="shown"')
  const form = {
    ...Object.fromEntries(new URLSearchParams(query)),
    ...days,
    key: await keyOfOwnSession(owner),
    shown: "9999999999999",
    count: "9999",
  }
  const response = await owner.request({ path: "/admin/bulk", form })
  expect(response.status).toBe(422)
  expect(await response.text()).toContain("A field of the filter is not valid.")
})

/** One text for each field of a list's form, and the condition that it becomes: a new condition does not compile without one. */
const carried = {
  orders: {
    status: ["status", "active"],
    kind: ["kind", "plan"],
    tag: ["tag", "vip"],
    gateway: ["gateway", "coinbase"],
    country: ["country", "DE"],
    currency: ["currency", "EUR"],
    promoCode: ["promotion", "SPRING"],
    from: ["from", "2026-01-02"],
    until: ["to", "2026-01-03"],
    paidFrom: ["paidFrom", "2026-01-04"],
    paidUntil: ["paidTo", "2026-01-05"],
    // Typed into the search, which offers no action on all.
    total: null,
  } satisfies Record<keyof OrderFilter, readonly [string, string] | null>,
  services: {
    status: ["status", "Active"],
    productId: ["product", "1"],
    endsFrom: ["endsFrom", "2026-01-02"],
    endsBefore: ["endsBefore", "2026-01-03"],
    stepBefore: ["late", "yes"],
  } satisfies Record<keyof ServiceFilter, readonly [string, string] | null>,
  jobs: {
    state: ["state", "parked"],
    topics: ["about", "mail"],
  } satisfies Record<keyof JobFilter, readonly [string, string] | null>,
} as const

test.each(bulkLists)(
  "every field of the filter of %s is carried into a bulk action, as the list reads it",
  async (list) => {
    const fields = Object.entries<readonly [string, string] | null>(carried[list]).flatMap(([name, it]) =>
      it === null ? [] : [[name, ...it] as const],
    )
    expect(fields.map(([, field]) => field).toSorted()).toEqual([...bulkFields[list]].toSorted())
    const typed = Object.fromEntries(fields.map(([, field, text]) => [field, text]))
    const calendar = { timeZone: "UTC", now: 0 }
    const { chosen, invalid } = bulkQueryIn(list, (field) => typed[field] ?? "", calendar)
    expect(invalid).toEqual([])
    const filter: Record<string, unknown> = { ...chosen.filter }
    for (const [condition] of fields)
      expect([condition, filter[condition]]).not.toEqual([condition, undefined])
  },
)

test.each(bulkLists)("the form that filters %s has no field that a bulk action leaves out", async (list) => {
  const page = await pageOf(owner, `/admin/${list}`)
  const forms = page.split("<form").filter((it) => it.includes('class="filters"'))
  expect(forms).toHaveLength(1)
  const [form = ""] = forms.map((it) => it.split("</form>")[0])
  const names = [...form.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => name)
  expect(names.toSorted()).toEqual([...bulkFields[list]].toSorted())
})

test("a list hands its whole filter to the actions on all of its rows", async () => {
  const [order] = await boughtPlans(1)
  const { productId } = (await shop.services.billing.service(order?.serviceId ?? "")) ?? {}
  const query = `status=Active&product=${productId}&endsFrom=2020-01-01&endsBefore=2040-01-01`
  const page = await pageOf(owner, `/admin/services?${query}`)
  const menu = page.split("<form").find((it) => it.includes('name="list"')) ?? ""
  const hidden = [...menu.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  expect(
    hidden
      .map(([, name, value]) => `${name}=${value}`)
      .slice(1)
      .join("&"),
  ).toBe(query)
})

test("the operator chooses which message is sent again, and the run names it", async () => {
  const [order] = await boughtPlans(1)
  const query = "list=orders&action=resend-mail"
  const page = await pageOf(owner, `/admin/bulk?${query}`)
  expect(page).toContain('<option value="receipt">receipt</option>')
  const odd = await begin(query, { reason: "lost", message: "operator-refund" })
  expect([odd.response.status, await odd.response.text()]).toEqual([
    422,
    expect.stringContaining("Choose one of the messages."),
  ])
  const { id } = await begin(query, { reason: "lost", message: "receipt" })
  await runBulk(shop.services)
  expect(await pageOf(owner, `/admin/bulk/${id}`)).toContain("message receipt")
  const mails = (await shop.billing.operator.mails({ limit: 20, orderId: order?.id ?? "" })) ?? []
  const waiting = mails.filter(({ state }) => state === "waiting").map(({ name }) => name)
  expect(waiting.filter((name) => name !== "receipt")).toEqual([])
})

const kinds = bulkLists.flatMap((list) => bulkActions[list].map((action) => [list, action] as const))
const table = operatorRoles.flatMap((role) => kinds.map((kind) => [role, ...kind] as const))
const permitted: Readonly<Record<OperatorRole, readonly BulkAction[]>> = {
  owner: ["retry-job", "resend-mail", "cancel-order", "extend-service"],
  support: ["retry-job", "resend-mail", "cancel-order", "extend-service"],
  viewer: [],
}

describe("roles", () => {
  test.each(table)(
    "%s, all %s, %s: the same role as for one of them",
    async (role, list: BulkList, action) => {
      await boughtPlans(1)
      const who = role === "owner" ? owner : await enrolled(shop, role)
      expect(permitted[role].includes(action)).toBe(mayDo(role, action))
      const form = { list, action, ...days, shown: String(shop.services.now()), count: "99" }
      const key = await keyOfOwnSession(who)
      const answer = await who.request({ path: "/admin/bulk", form: { ...form, key } })
      const isForbidden = (await answer.text()).includes("Your role may not do this.")
      expect(isForbidden).toBe(!permitted[role].includes(action))
      if (!isForbidden) return
      expect(answer.status).toBe(422)
      expect(await shop.services.bulk.newest(5)).toEqual([])
      const [entry] = await shop.billing.auditLog.newest({ limit: 1 })
      expect(entry).toMatchObject({ action, outcome: "failed", operator: who.email })
    },
  )

  test("a viewer sees a run without its operator's email, and cannot stop it", async () => {
    await boughtPlans(1)
    const { id } = await begin(extension, days)
    const viewer = await enrolled(shop, "viewer")
    const page = await pageOf(viewer, `/admin/bulk/${id}`)
    expect(page).not.toContain(owner.email)
    expect(page).not.toContain("stop-bulk")
    const form = { key: await keyOfOwnSession(viewer), reason: "why not" }
    const answer = await viewer.request({ path: `/admin/bulk/${id}`, form })
    expect(await answer.text()).toContain("Your role may not do this.")
    expect((await shop.services.bulk.find(id))?.stoppedAt).toBeNull()
  })
})

test("a form without a key of this session begins nothing, and stops nothing", async () => {
  await boughtPlans(1)
  const { id } = await begin(extension, days)
  const form = { ...beginFields(await pageOf(owner, `/admin/bulk?${extension}`)), ...days, key: "forged.key" }
  expect((await owner.request({ path: "/admin/bulk", form })).status).toBe(422)
  const stopping = { key: "forged.key", reason: "x" }
  expect((await owner.request({ path: `/admin/bulk/${id}`, form: stopping })).status).toBe(422)
  expect(await shop.services.bulk.newest(5)).toHaveLength(1)
  expect((await shop.services.bulk.find(id))?.stoppedAt).toBeNull()
})

test("an unknown run is not found, and an unknown action leads to the runs", async () => {
  for (const path of ["/admin/bulk/none", "/admin/bulk/none/result.csv"])
    expect((await owner.request({ path })).status).toBe(404)
  const form = { list: "orders", action: "refund-order", reason: "all", key: await keyOfOwnSession(owner) }
  const answer = await owner.request({ path: "/admin/bulk", form })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/checkout/admin/bulk"])
})
