import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import {
  catalogueFixture,
  NOON,
  orderNow,
  placed,
  plan,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

const held = { holdReason: "blocked country XK", at: NOON - DAY, deadline: NOON } as const

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("orders release sets a new deadline and records the operator and the reason", async () => {
  const order = await placed(line.backend, held, promotions.five)
  expect(await line.command(`orders release ${order.id} --reason known`)).toEqual({
    exitCode: 0,
    output: `Order ${order.id} released, now placed. The buyer's page continues automatically, and the buyer gets a message, unless the order is paid or the shop sends none.`,
  })
  expect(await orderNow(line.backend, order)).toMatchObject({ status: "placed", deadline: NOON + DAY })
  expect((await line.command(`orders show ${order.id}`)).output).toMatch(/released .*operator: known/)
  expect(await line.command(`orders release ${order.id} --reason known`)).toEqual({
    exitCode: 1,
    output: `Cannot change order ${order.id}: already released.`,
  })
})

test("orders release requires a new confirmation if the price or promo code has changed", async () => {
  const dearer = await placed(line.backend, held)
  const ended = await placed(line.backend, held, promotions.five)
  const pricing = { ...plan.pricing, EUR: { monthly: 2_100 } }
  const products = catalogueFixture.products.map((it) => (it.id === plan.id ? { ...it, pricing } : it))
  await line.backend.operator.importCatalogue({ products, promotions: [] })
  for (const order of [dearer, ended]) {
    const { exitCode, output } = await line.command(`orders release ${order.id} --reason known`)
    expect([exitCode, output]).toEqual([
      0,
      expect.stringMatching(/buyer has to confirm again, and the buyer gets a message/),
    ])
    expect(await orderNow(line.backend, order)).toMatchObject({ status: "fraud", decision: "released" })
  }
})

test("orders refuse is final: the order can be neither released nor refused again", async () => {
  const order = await placed(line.backend, held, promotions.five)
  expect(await line.command(`orders refuse ${order.id} --reason chargebacks`)).toEqual({
    exitCode: 0,
    output: expect.stringContaining("The buyer gets no message."),
  })
  expect((await line.command(`orders show ${order.id}`)).output).toMatch(/refused .*operator: chargebacks/)
  const again = { exitCode: 1, output: `Cannot change order ${order.id}: already refused.` }
  expect(await line.command(`orders release ${order.id} --reason known`)).toEqual(again)
  expect(await line.command(`orders refuse ${order.id} --reason no`)).toEqual(again)
})

test.each(["release", "refuse"])(
  "orders %s rejects an order without a fraud hold, an unknown order and missing arguments",
  async (name) => {
    const order = await placed(line.backend)
    expect(await line.command(`orders ${name} ${order.id} --reason known`)).toEqual({
      exitCode: 1,
      output: `Cannot change order ${order.id}: status "placed" is not on fraud hold.`,
    })
    expect(await line.command(`orders ${name} NONE --reason known`)).toEqual({
      exitCode: 1,
      output: 'Order "NONE" not found.',
    })
    expect((await line.command(`orders ${name} ${order.id}`)).output).toContain(
      "required option '--reason <TEXT>' not specified",
    )
    expect((await line.command(`orders ${name}`)).exitCode).toBe(2)
  },
)
