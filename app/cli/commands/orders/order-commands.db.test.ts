import { afterEach, beforeEach, expect, test } from "vitest"
import { MAX_ATTEMPTS } from "~/billing/payments/payment-repository"
import { MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { NOON, opened, paymentUpdate, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine, SECRET } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("mark-paid marks an order as paid once, and the timeline shows the operator and the reason", async () => {
  const { id, serviceId } = await placed(line.backend)
  expect(await line.command(`orders mark-paid ${id} --reason cash`)).toEqual({
    exitCode: 0,
    output: `Order ${id} marked as paid (cash); received from gateways: 0.00 EUR of 20.00 EUR.`,
  })
  const jobs = await line.backend.outbox.claim(Date.now(), 1_000, 9)
  expect(jobs.map(({ subject }) => subject)).toEqual([serviceId])
  expect((await line.backend.billing.timeline(id)).at(-1)).toMatchObject({
    kind: "paid",
    reference: "operator: cash",
  })
  expect(await line.command(`orders mark-paid ${id} --reason cash`)).toEqual({
    exitCode: 1,
    output: 'Cannot change an order with status "paid".',
  })
})

test("waive-rest pays an order that lacks a little, once, and books nothing for the rest", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  const waive = `orders waive-rest ${order.id} --reason fee --force`
  expect((await command(waive)).output).toContain("It has no rest that can be waived.")
  await backend.payments.recordPaymentUpdate(
    "offshore",
    paymentUpdate(attempt, "partially-paid", 1_990),
    NOON,
  )
  const { output } = await command(`${waive} --json`)
  expect(JSON.parse(output)).toMatchObject({
    order: { number: order.id, status: "paid", received: { amount: "19.90" } },
    waived: { amount: "0.10", currency: "EUR" },
  })
  expect((await command(`orders show ${order.id}`)).output).toMatch(
    /rest-waived {2}0\.10 EUR {2}operator: fee$/m,
  )
  expect(await command(waive)).toMatchObject({ exitCode: 1 })
})

test("money that arrives after mark-paid becomes account credit, and a refund takes it back", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  const report = (status: "partially-paid" | "paid" | "refunded", minor: number) =>
    backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, status, minor), NOON)
  await report("partially-paid", 500)
  expect((await command(`orders mark-paid ${order.id} --reason cash --force`)).exitCode).toBe(0)
  await report("paid", 2_000)
  expect(await backend.ledger(order.id)).toMatchObject({
    received: [{ minor: 500 }, { minor: 1_500 }, { minor: 1_500 }],
    credit: [{ minor: 1_500 }],
  })
  const shown = (await command(`orders show ${order.id}`)).output
  expect(shown).toContain("15.00 EUR  elsewhere")
  expect(shown).toMatch(/^Account credit\n {2}2026-06-15 12:00 {7}15\.00 EUR {2}surplus$/m)
  const { order: json } = JSON.parse((await command(`orders show ${order.id} --json`)).output)
  expect(json.creditMovements).toMatchObject([{ cause: "surplus", amount: { amount: "15.00" } }])
  const credit = () => backend.payments.accountCredit(order.customerId, "EUR")
  expect(await credit()).toMatchObject({ minor: 1_500 })
  expect((await backend.billing.timeline(order.id)).at(-1)).toMatchObject({
    kind: "overpaid",
    amount: { minor: 1_500 },
  })
  await report("refunded", 0)
  expect(await credit()).toMatchObject({ minor: 0 })
  expect((await command("doctor")).output).not.toContain("differ")
})

test("refund gives an order that was marked as paid back as account credit, or records what was paid back, once", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  await command(`orders mark-paid ${order.id} --reason cash`)
  const refund = (rest: string) => command(`orders refund ${order.id} ${rest}`)
  expect((await refund("--amount 5.00 --reason sorry --to-credit --send")).exitCode).toBe(2)
  const asCredit = "--amount 5.00 --reason sorry --to-credit"
  expect(await refund(asCredit)).toEqual({
    exitCode: 0,
    output: `Refund of 5.00 EUR recorded for order ${order.id} (account credit); 0.00 EUR of 20.00 EUR received. The service goes on.`,
  })
  expect((await refund(asCredit)).output).toContain("was recorded before")
  expect(await backend.payments.accountCredit(order.customerId, "EUR")).toMatchObject({ minor: 500 })
  // The same sum with the same reason in another way is another refund.
  expect(JSON.parse((await refund("--amount 5.00 --reason sorry --json")).output)).toMatchObject({
    gateway: null,
    toCredit: false,
    isRepeated: false,
  })
  expect(await refund("--amount 10.01 --reason more --to-credit")).toEqual({
    exitCode: 1,
    output: "Cannot refund: at most 10.00 EUR is left to refund at once in this way.",
  })
  expect((await command(`orders show ${order.id}`)).output).toContain(
    "Refundable  10.00 EUR as account credit; 0.00 EUR of payments, 10.00 EUR received elsewhere",
  )
  await refund("--amount 10.00 --reason all")
  expect((await refund("--amount 1.00 --reason none --to-credit")).output).toBe(
    "Cannot refund: nothing is left to refund in this way.",
  )
  expect(await backend.auditLog.newest({ subject: `order ${order.id}`, limit: 1 })).toMatchObject([
    { action: "refund-order", outcome: "done" },
  ])
  expect((await command("doctor")).output).not.toContain("differ")
})

test("refund says what an external billing system does not learn, and gives no account credit that it has", async () => {
  const { backend, command } = line
  const { id } = await placed(backend)
  await command(`orders mark-paid ${id} --reason cash`)
  const there = "The billing system does not learn of it: book the refund there, too."
  expect((await command(`orders refund ${id} --amount 1.00 --reason one`)).output).not.toContain(there)
  const refund = (rest: string, environment: Record<string, string>) =>
    command(`orders refund ${id} --amount 1.00 --reason ${rest}`, "", environment)
  const whmcs = {
    BILLING: "whmcs",
    WHMCS_URL: "http://127.0.0.1:9",
    WHMCS_IDENTIFIER: "id",
    WHMCS_SECRET: "secret",
    WHMCS_PLANS: "1",
  }
  expect((await refund("two", whmcs)).output).toContain(there)
  const remote = { BILLING: "remote", BILLING_URL: "http://127.0.0.1:9", BILLING_API_KEY: SECRET }
  expect(await refund("three --to-credit", remote)).toEqual({
    exitCode: 1,
    output: "Cannot refund: the external billing system has the customers' account credit. Give it there.",
  })
})

test("show lists the messages of an order on its timeline, with recipient and state", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 500), NOON)
  await command(`orders cancel ${order.id} --reason duplicate --force`)
  const { output } = await command(`orders show ${order.id}`)
  expect(output.slice(output.indexOf("Timeline"))).toMatch(
    / part-credited {2}5\.00 EUR {2}\n(.*\n)* {2}2026-06-15 12:00 {2}message {2}account-credit {2}\S+@example\.test {2}waiting after 0 tries {2}\S+$/,
  )
  const { order: shown } = JSON.parse((await command(`orders show ${order.id} --json`)).output)
  expect(shown.mails).toMatchObject([{ name: "account-credit", state: "waiting", order: order.id }])
})

test("show lists what gateways pay back, with the reason of a refusal", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const refund = { id: "r1", orderId: order.id, amount: money(500, "EUR"), reason: "asked", at: NOON }
  const gateways = [{ id: "offshore", isWholeOnly: false }] as const
  await backend.refunds.begin({ ...refund, gateways, address: null, endsService: false })
  expect((await command(`orders show ${order.id}`)).output).toMatch(
    /^Refunds through gateways\n {2}2026-06-15 12:00 {2}offshore {2}5\.00 EUR {2}waiting$/m,
  )
  await backend.refunds.refused("r1", { detail: "no funds", at: NOON })
  expect((await command(`orders show ${order.id}`)).output).toMatch(/5\.00 EUR {2}refused {2}no funds$/m)
  const { order: shown } = JSON.parse((await command(`orders show ${order.id} --json`)).output)
  expect(shown.gatewayRefunds).toMatchObject([{ id: "r1", state: "refused", detail: "no funds" }])
  const dismiss = `orders dismiss-refund ${order.id} --reason`
  expect((await command(`${dismiss} agreed`)).output).toContain(
    `1 refused refund of order ${order.id} dismissed.`,
  )
  expect((await command(`orders show ${order.id}`)).output).toMatch(/5\.00 EUR {2}dismissed {2}no funds$/m)
  expect((await command(`${dismiss} agreed`)).exitCode).toBe(1)
  expect(await backend.auditLog.newest({ subject: `order ${order.id}`, limit: 2 })).toMatchObject([
    { action: "dismiss-refund", outcome: "done" },
    { action: "dismiss-refund", outcome: "started" },
  ])
})

test("a payment that its gateway has taken back is shown, and settled once with a reason", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const update = { ...paymentUpdate(attempt, "paid", 2_000), refunded: money(2_000, "EUR") }
  await backend.payments.recordPaymentUpdate("offshore", update, NOON)
  expect((await command(`orders show ${order.id}`)).output).toMatch(
    /^Chargeback {2}20\.00 EUR {2}offshore {2}2026-06-15 12:00 {2}open$/m,
  )
  const { order: shown } = JSON.parse((await command(`orders show ${order.id} --json`)).output)
  expect(shown.chargeback).toEqual({
    amount: { amount: "20.00", currency: "EUR" },
    at: "2026-06-15T12:00:00.000Z",
    gateway: "offshore",
    isOpen: true,
  })
  const dismiss = `orders dismiss-chargeback ${order.id} --reason agreed`
  expect((await command(dismiss)).output).toContain(
    `The chargeback of 20.00 EUR of order ${order.id} is settled.`,
  )
  expect(await command(dismiss)).toMatchObject({ exitCode: 1 })
  expect((await command(`orders show ${order.id}`)).output).toMatch(/^Chargeback .* dealt with$/m)
})

test("a refund that is asked for again is not said to be on its way once the gateway has refused or sent it", async () => {
  const { backend, command } = line
  const order = await placed(backend, { gateway: "coinbase" })
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("coinbase", paymentUpdate(attempt, "paid", 2_000), NOON)
  const send = (reason: string) =>
    command(`orders refund ${order.id} --amount 5.00 --reason ${reason} --send --json`)
  const isAsked = { exitCode: 0, output: expect.stringContaining('"isSending": true') }
  expect(await send("goodwill")).toEqual(isAsked)
  expect(await send("goodwill")).toEqual(isAsked)
  await backend.refunds.refused((await backend.refunds.ofOrder(order.id))[0]?.id ?? "", {
    detail: "no funds",
    at: NOON,
  })
  expect(await send("goodwill")).toEqual({
    exitCode: 1,
    output: expect.stringMatching(/coinbase has refused this refund \(no funds\).*give another --reason/),
  })
  expect(await send("again")).toEqual(isAsked)
  const second = (await backend.refunds.ofOrder(order.id)).find(({ reason }) => reason === "again")
  await backend.refunds.sent(second?.id ?? "", { claimUrl: null, at: NOON })
  expect(await send("again")).toEqual({ exitCode: 0, output: expect.stringContaining('"isSending": false') })
})

test("cancel cancels an unpaid order with a reason, and rejects a paid one", async () => {
  const { id } = await placed(line.backend)
  expect((await line.command(`orders cancel ${id} --reason duplicate`)).output).toContain(": cancelled, ")
  expect((await line.backend.billing.timeline(id)).at(-1)).toMatchObject({ reference: "operator: duplicate" })
  const other = await placed(line.backend)
  await line.command(`orders mark-paid ${other.id} --reason cash`)
  expect((await line.command(`orders cancel ${other.id} --reason mistake`)).exitCode).toBe(1)
})

test.each(["mark-paid", "cancel"])(
  "%s requires --reason and otherwise leaves the order unchanged",
  async (command) => {
    const { id } = await placed(line.backend)
    expect(await line.command(`orders ${command} ${id}`)).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining("required option '--reason <TEXT>' not specified"),
    })
    expect((await line.command(`orders ${command} ${id} --reason \t`)).exitCode).toBe(2)
    expect((await line.backend.billing.order(id))?.status).toBe("placed")
  },
)

test.each(["mark-paid", "cancel"])(
  "%s polls the gateways first, and requires --force if one does not respond",
  async (command) => {
    const order = await placed(line.backend)
    await opened(line.backend, order)
    expect(await line.command(`orders ${command} ${order.id} --reason phone`)).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("offshore did not respond"),
    })
    expect((await line.backend.billing.order(order.id))?.status).toBe("awaiting-payment")
    expect((await line.command(`orders ${command} ${order.id} --reason phone --force`)).exitCode).toBe(0)
  },
)

test("doctor lists partially paid orders and orders that have reached the limit of payment attempts", async () => {
  expect((await line.command("doctor")).output).toContain("none unfinished")
  const { backend } = line
  const order = await placed(backend)
  await backend.payments.recordPaymentUpdate(
    "offshore",
    paymentUpdate(await opened(backend, order), "partially-paid", 1_500),
    NOON,
  )
  const many = await placed(backend)
  for (let nth = 1; nth <= MAX_ATTEMPTS; nth++) await opened(backend, many, nth)
  const { output } = await line.command("doctor")
  expect(output).toContain(`1 orders partially paid: order ${order.id}`)
  expect(output).toContain(`1 orders with ${MAX_ATTEMPTS} or more: order ${many.id}`)
})

test("poll shows the status of the order and the response of each gateway", async () => {
  const { backend } = line
  const order = await placed(backend)
  expect((await line.command(`orders poll ${order.id}`)).output).toContain("No open payments.")
  await opened(backend, order)
  expect((await line.command(`orders poll ${order.id}`)).output).toContain(
    "offshore  no response (unavailable)",
  )
  const drained = { OFFSHORE_MODE: "link", GATEWAYS: "offshore" }
  expect((await line.command(`orders poll ${order.id}`, "", drained)).output).toContain(
    "offshore  polling not supported",
  )
  expect((await line.command(`orders poll ${order.id}`, "", { GATEWAYS: "coinbase" })).output).toContain(
    "offshore  not configured",
  )
})

test("orders poll does not call a gateway that a running shop has just polled for the payment", async () => {
  const { backend } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  expect(await backend.payments.claimPoll(attempt, NOON + 30_000, NOON + 30_000)).toBe(true)
  expect((await line.command(`orders poll ${order.id}`)).output).toContain(
    "offshore  polled a moment ago by a running shop",
  )
})

test.each(["poll", "mark-paid", "cancel"])("%s rejects an unknown order", async (command) => {
  expect(
    await line.command(command === "poll" ? "orders poll NOSUCH" : `orders ${command} NOSUCH --reason none`),
  ).toEqual({
    exitCode: 1,
    output: 'Order "NOSUCH" not found.',
  })
})

test("show says when money came and went, and by what a payment in a coin is found on its network", async () => {
  const { backend, command } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.keepCoinReferences(attempt.id, [{ kind: "address", value: "bc1qexample" }], NOON)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  await backend.payments.keepCoinReferences(
    attempt.id,
    [{ kind: "transaction", value: "4f2c" }],
    NOON + MINUTE,
  )
  const { output } = await command(`orders show ${order.id}`)
  expect(output).toMatch(
    /^Payments\n {2}2026-06-15 12:00 {7}20\.00 EUR {2}offshore\b.*\nCoin references\n {2}2026-06-15 12:00 {2}offshore {2}address {2}bc1qexample\n {2}2026-06-15 12:01 {2}offshore {2}transaction {2}4f2c$/m,
  )
  const { order: shown } = JSON.parse((await command(`orders show ${order.id} --json`)).output)
  expect(shown.payments).toMatchObject([{ at: "2026-06-15T12:00:00.000Z", gateway: "offshore" }])
})
