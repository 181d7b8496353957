import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import {
  byAdminCli,
  NOON,
  opened,
  paymentUpdate,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("refunds, notes, tags and files of the admin CLI are in the audit log", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const refunded = await command(`orders refund ${order.id} --amount 5.00 --reason outage`)
  expect(refunded).toEqual({
    exitCode: 0,
    output: `Refund of 5.00 EUR recorded for order ${order.id} (offshore); 15.00 EUR of 20.00 EUR received. The service goes on.`,
  })
  expect((await command(`orders refund ${order.id} --amount 15.01 --reason outage`)).output).toBe(
    "Cannot refund: at most 15.00 EUR is left to refund at once in this way.",
  )
  await command(`orders add-note ${order.id} chat`)
  await command(`orders add-tag ${order.id} vip`)
  await command(`orders remove-tag ${order.id} vip`)
  await command("orders export - --reason audit")
  expect(line.written()).toContain(`\r\n${order.id},`)
  const entries = await backend.auditLog.page({ after: 0, limit: 50 })
  const done = entries.filter(({ outcome }) => outcome === "done")
  expect(done.map(({ action, subject, operator }) => [action, subject, operator])).toEqual([
    ["refund-order", `order ${order.id}`, "admin CLI"],
    ["refund-order", `order ${order.id}`, "admin CLI"],
    ["add-note", `order ${order.id}`, "admin CLI"],
    ["change-tags", `order ${order.id}`, "admin CLI"],
    ["change-tags", `order ${order.id}`, "admin CLI"],
    ["export-orders", "orders", "admin CLI"],
  ])
  expect(done.map(({ after }) => JSON.parse(after ?? "null"))).toMatchObject([
    { refund: 500, result: "refunded" },
    { result: "too-much" },
    {},
    {},
    {},
    {},
  ])
})

test("a repeated command records no second refund; one with another reason does", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const refund = `orders refund ${order.id} --amount 5.00 --reason outage`
  expect((await command(refund)).output).toMatch(/^Refund of 5\.00 EUR recorded .* 15\.00 EUR of 20\.00 EUR/)
  expect((await command(refund)).output).toBe(
    "This refund of 5.00 EUR was recorded before; 15.00 EUR of 20.00 EUR received. For another one give another --reason.",
  )
  expect((await command(`${refund}-again`)).output).toMatch(/ 10\.00 EUR of 20\.00 EUR received/)
})

test("a refund without a reason or an amount is a usage error", async () => {
  const { id } = await placed(line.backend)
  for (const options of [
    "--amount 5.00",
    "--reason x",
    "--amount five --reason x",
    "--amount 0.00 --reason x",
  ])
    expect((await line.command(`orders refund ${id} ${options}`)).exitCode).toBe(2)
})

test("a refund above APPROVE_ABOVE waits, also when repeated, and the admin CLI cannot confirm its own", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const limited = (it: string) => command(it, "", { APPROVE_ABOVE: "4.99" })
  const refund = `orders refund ${order.id} --amount 5.00 --reason outage`
  for (const _ of [1, 2])
    expect((await limited(refund)).output).toMatch(/^Nothing has been done yet: the amount waits/)
  const [asked, ...more] = await backend.approvals.ofOrder(order.id)
  expect([asked?.operator, more]).toEqual(["admin CLI", []])
  expect((await limited("approvals list")).output).toContain("refund-order  5.00 EUR")
  const own = await limited(`approvals confirm ${asked?.id} --reason checked`)
  expect(own).toEqual({
    exitCode: 1,
    output: "The admin CLI has asked for it: an owner confirms it in the console.",
  })
  expect((await backend.billing.order(order.id))?.received.minor).toBe(2_000)
})

test("a refund above APPROVE_ABOVE that no gateway can send is refused at once, and waits for nobody", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const refund = `orders refund ${order.id} --amount 5.00 --reason outage --send`
  expect(await command(refund, "", { APPROVE_ABOVE: "4.99" })).toEqual({
    exitCode: 1,
    output:
      "Cannot refund: no gateway of this order can pay back. Send the money yourself, and record it without --send.",
  })
  expect(await backend.approvals.ofOrder(order.id)).toEqual([])
})

test("the admin CLI confirms, or refuses, what an operator of the console has asked for", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const asked = {
    action: "refund-order",
    orderId: order.id,
    customerId: null,
    amount: money(500, "EUR"),
    details: { endsService: false, force: false, throughGateway: false, address: null },
    reason: "outage",
    operatorId: "op1",
    operator: "marta@shop.test",
    at: NOON,
    expiresAt: NOON + 1,
  } as const
  const access = { linkHash: "link", linkUntil: NOON, totpSecret: "sealed", at: NOON - 4 * DAY }
  await backend.operators.add({ ...access, id: "op1", email: asked.operator, role: "owner" }, byAdminCli)
  for (const id of ["first", "second"]) await backend.approvals.add({ ...asked, id })
  expect(await command("approvals confirm first --reason checked")).toEqual({
    exitCode: 0,
    output: `refund-order of 5.00 EUR, order ${order.id}: confirmed, done.`,
  })
  expect(await command("approvals refuse second --reason twice")).toEqual({
    exitCode: 0,
    output: `refund-order of 5.00 EUR, order ${order.id}: refused.`,
  })
  expect((await command("approvals confirm second --reason checked")).exitCode).toBe(1)
  expect((await backend.billing.order(order.id))?.received.minor).toBe(1_500)
  const entries = await backend.auditLog.page({ after: 0, limit: 50 })
  expect(
    entries.filter(({ outcome }) => outcome === "done").map(({ action, after }) => [action, after]),
  ).toEqual([
    ["confirm-action", '{"request":"first","result":"done"}'],
    ["refuse-action", '{"request":"second","result":"refused"}'],
  ])
})

test("account credit above APPROVE_ABOVE waits, and the admin CLI cannot confirm its own", async () => {
  const limited = (it: string) => line.command(it, "", { APPROVE_ABOVE: "4.99" })
  const grant = "customers grant-credit ana+tv@example.test --amount 5.00 --reason outage --json"
  const { request } = JSON.parse((await limited(grant)).output)
  expect((await line.backend.operator.customer(line.customerId))?.credit).toEqual([])
  expect((await limited("approvals list")).output).toMatch(
    new RegExp(`${request}  grant-credit  5\\.00 EUR  customer ${line.customerId}  admin CLI`),
  )
  const own = await limited(`approvals confirm ${request} --reason checked`)
  expect(own.output).toMatch("an owner confirms it in the console")
  line.spoil(`update approvals set operator = 'marta@shop.test' where id = '${request}'`)
  expect((await limited(`approvals confirm ${request} --reason checked`)).output).toBe(
    `grant-credit of 5.00 EUR, customer ${line.customerId}: confirmed, done.`,
  )
  expect((await line.backend.operator.customer(line.customerId))?.credit).toEqual([money(500, "EUR")])
})

test("an order above APPROVE_ABOVE is not marked as paid at once", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const limited = (it: string) => command(it, "", { APPROVE_ABOVE: "1" })
  expect((await limited(`orders mark-paid ${order.id} --reason cash`)).output).toMatch(
    /^Nothing has been done/,
  )
  expect((await backend.billing.order(order.id))?.status).not.toBe("paid")
})

test("the admin CLI does not confirm what an account has asked for that it may have added itself", async () => {
  const { backend, command } = line
  const { id: orderId } = await placed(backend)
  const access = { linkHash: "link", linkUntil: NOON, totpSecret: "sealed", at: NOON - DAY }
  const email = "marta@shop.test"
  await backend.operators.add({ ...access, id: "op1", email, role: "owner" }, byAdminCli)
  await backend.approvals.add({
    id: "asked",
    action: "mark-order-paid",
    orderId,
    customerId: null,
    amount: money(500, "EUR"),
    details: { endsService: false, force: false, throughGateway: false, address: null },
    reason: "bank transfer",
    operatorId: "op1",
    operator: email,
    at: NOON,
    expiresAt: NOON + 1,
  })
  const confirmed = await command("approvals confirm asked --reason checked")
  expect([confirmed.exitCode, confirmed.output]).toEqual([1, expect.stringContaining("less than 3 days ago")])
  expect((await backend.billing.order(orderId))?.status).toBe("placed")
})
