import { afterEach, beforeEach, expect, test } from "vitest"
import { NOON, news, opened, placed } from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("each gateway is told with its host, whether it answers, and that it believes nobody who is not it", async () => {
  const { said } = await line.command("gateways", "", { GATEWAYS_DRAIN: "btcpay" })
  const [offshore = "", coinbase = "", cryptomus = "", btcpay = ""] = said.split("\n\n")
  expect(offshore).toMatch(/^offshore {2}offered {2}http:/)
  expect(btcpay).toMatch(/^btcpay {2}drained {2}http:/)
  for (const told of [offshore, coinbase, cryptomus, btcpay]) {
    expect(told).toContain("DOES NOT ANSWER")
    expect(told).toContain("forged callback    refused, as it should be")
    expect(told).toMatch(/last word booked +none yet/)
  }
})

test("a gateway that cannot be asked says so", async () => {
  const { said } = await line.command("gateways", "", { OFFSHORE_MODE: "link", GATEWAYS: "offshore" })
  expect(said).toContain("cannot be asked")
})

test("the last word, what is open and what was refused are told", async () => {
  const { books } = line
  const paid = await opened(books, await placed(books))
  await opened(books, await placed(books))
  await books.till.record("offshore", news(paid, "paid", 2_000), NOON)
  await books.till.noteRefusal("offshore", "no signature", new Date().toISOString().slice(0, 10))
  await books.till.noteRefusal("offshore", "no signature", "2999-01-01")
  const { said } = await line.command("gateways", "", { GATEWAYS: "offshore" })
  expect(said).toContain("last word booked   2026-06-15 12:00")
  expect(said).toMatch(/refused this week {2}\d × no signature/)
})
