import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("who is blocked is listed with the reason until he is let in again", async () => {
  expect((await line.command("blocks")).said).toBe("Nobody is blocked.")
  expect((await line.command("block 192.0.2.77/24 --reason chargebacks")).code).toBe(0)
  expect((await line.command("block uk")).said).toBe("Orders from country GB are held from now on.")
  expect((await line.command("blocks")).said).toBe(
    "2026-06-15 12:00  country  GB\n2026-06-15 12:00  network  192.0.2.0/24  chargebacks",
  )
  expect((await line.command("unblock 192.0.2.0/24")).code).toBe(0)
  expect(await line.command("unblock 192.0.2.0/24")).toEqual({
    ...{ code: 1, said: "network 192.0.2.0/24 is not blocked." },
  })
})

test.each(["block", "unblock"])("%s of what is no place says what is one", async (name) => {
  const { code, said } = await line.command(`${name} Atlantis`)
  expect([code, said]).toEqual([1, expect.stringContaining("192.0.2.0/24")])
})
