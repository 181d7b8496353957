import fc from "fast-check"
import type { Kysely } from "kysely"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { freshMigratedDatabase } from "../../../../tests/support/db/migrated-postgres"
import { openDatabase } from "../db/database.server"
import { migrate } from "../db/migrate.server"
import type { ResellerCreditAccount } from "../db/schema/credit-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { customerAccount, resellerCreditBalance, type Transfer, transfer } from "./credit-ledger.server"

const engines: [string, () => string | Promise<string>][] = [
  ["SQLite", () => ":memory:"],
  ["PostgreSQL", () => freshMigratedDatabase(inject("postgres"))],
]

describe.each(engines)("credit ledger on %s", (_, databaseUrl) => {
  let db: Kysely<Tables>
  let ctx: DbContext
  let names = 0
  beforeAll(async () => {
    db = openDatabase({ url: await databaseUrl(), timeoutMs: 10_000 })
    await migrate(db)
    ctx = { db, newId: () => `entry ${++names}` }
  })
  afterAll(() => db.destroy())

  const move = (request: Partial<Transfer> = {}) =>
    inTransaction(ctx, (tx) =>
      transfer(tx, {
        from: "issued",
        to: customerAccount("ana"),
        amount: 5,
        reference: `cause ${++names}`,
        at: 7,
        ...request,
      }),
    )

  test("transfers credits between two accounts", async () => {
    await move({ to: customerAccount("ben"), amount: 10 })
    await move({ from: customerAccount("ben"), to: "issued", amount: 4 })
    expect(await resellerCreditBalance(ctx, customerAccount("ben"))).toBe(6)
  })

  test("transfers once per reference when the same transfer is repeated concurrently", async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () => move({ to: customerAccount("eva"), reference: "order 7" })),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await resellerCreditBalance(ctx, customerAccount("eva"))).toBe(5)
  })

  test("rejects concurrent transfers beyond the balance", async () => {
    await move({ to: customerAccount("leo"), amount: 3 })
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => move({ from: customerAccount("leo"), to: "issued", amount: 1 })),
    )
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3)
    expect(await resellerCreditBalance(ctx, customerAccount("leo"))).toBe(0)
  })

  test.each([0, -1, 1.5, Number.NaN])("rejects a transfer of %d credits", async (amount) => {
    await expect(move({ amount })).rejects.toMatchObject({ kind: "refused" })
  })

  test("concurrent transfers keep the sum of all balances at zero and each balance equal to its entries", async () => {
    const account = fc.constantFrom<ResellerCreditAccount>(
      "issued",
      customerAccount("a"),
      customerAccount("b"),
      customerAccount("c"),
    )
    const requests = fc.array(
      fc.record({ from: account, to: account, amount: fc.integer({ min: 1, max: 20 }) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    await fc.assert(
      fc.asyncProperty(requests, async (moves) => {
        await Promise.allSettled(moves.map((it) => move(it)))
        const balances = await db.selectFrom("credit_balances").selectAll().execute()
        expect(balances.reduce((sum, { balance }) => sum + Number(balance), 0)).toBe(0)
        const entries = await db.selectFrom("credit_entries").selectAll().execute()
        for (const { account, balance } of balances) {
          const came = entries.filter((it) => it.to_account === account)
          const went = entries.filter((it) => it.from_account === account)
          const sum = (list: typeof entries) => list.reduce((total, { amount }) => total + amount, 0)
          expect(Number(balance)).toBe(sum(came) - sum(went))
          if (account !== "issued") expect(Number(balance)).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 15 },
    )
  }, 60_000)
})
