import { afterEach, beforeEach, expect, test } from "vitest"
import { opened, placed } from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("an order the operator has the money for is paid by his word, once", async () => {
  const { id, serviceId } = await placed(line.books)
  expect(await line.command(`paid ${id}`)).toEqual({
    ...{ code: 0, said: `Order ${id} is paid: 0.00 EUR of 20.00 EUR received.` },
  })
  const jobs = await line.books.outbox.claim(Date.now(), 1_000, 9)
  expect(jobs.map(({ subject }) => subject)).toEqual([serviceId])
  expect(await line.command(`paid ${id}`)).toEqual({ code: 1, said: "An order that is paid stays as it is." })
})

test("an unpaid order is given up, and one that is paid is not", async () => {
  const { id } = await placed(line.books)
  expect((await line.command(`cancel ${id}`)).said).toContain("is cancelled")
  const other = await placed(line.books)
  await line.command(`paid ${other.id}`)
  expect((await line.command(`cancel ${other.id}`)).code).toBe(1)
})

test("asking says how the order stands and what each gateway answers", async () => {
  const { books } = line
  const order = await placed(books)
  expect((await line.command(`ask ${order.id}`)).said).toContain("No payment of it is open.")
  await opened(books, order)
  expect((await line.command(`ask ${order.id}`)).said).toContain("offshore  gave no answer (unavailable)")
  const drained = { OFFSHORE_MODE: "link", GATEWAYS: "offshore" }
  expect((await line.command(`ask ${order.id}`, "", drained)).said).toContain("offshore  cannot be asked")
  expect((await line.command(`ask ${order.id}`, "", { GATEWAYS: "coinbase" })).said).toContain(
    "offshore  is not among the GATEWAYS",
  )
})

test.each(["ask", "paid", "cancel"])(
  "%s of an order that is not there is refused in words",
  async (command) => {
    expect(await line.command(`${command} NOSUCH`)).toEqual({ code: 1, said: 'No order "NOSUCH".' })
  },
)
